-- Finds the windows of a series that are open by the database's clock or still to begin, with
-- their seasons. Zero rows: there are none. No locks. Of each rule the newest windows are looked
-- up in window_once_per_start; more than two are neither over nor closed only if somebody
-- opened them by hand.
SELECT
    season.id AS season_id,
    rule.suffix,
    season.slug,
    season.starts_at,
    season.cutoff_at,
    season.final_version,
    season.retired_at,
    made.starts_at AS window_starts_at,
    rule.id AS rule_id,
    statement_timestamp() AS read_at
FROM seasons_windowrule AS rule
CROSS JOIN
    LATERAL (
        SELECT
            newest.starts_at,
            newest.season_id
        FROM seasons_window AS newest
        WHERE newest.rule_id = rule.id
        ORDER BY newest.starts_at DESC
        LIMIT 10
    ) AS made
INNER JOIN seasons_season AS season ON made.season_id = season.id
WHERE
    rule.series_id = %(series_id)s
    AND season.cutoff_at > statement_timestamp()
    AND season.retired_at IS NULL
ORDER BY rule.id, made.starts_at;
