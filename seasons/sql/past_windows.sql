-- Finds the windows of a series that are over by the database's clock, with their seasons, the
-- newest first, before a place in that order: a start, and at one start a rule. A season that
-- was given up before anything was played is none of them.
-- Zero rows: there are no more. No locks. Each rule's are read in window_once_per_start.
SELECT
    made.season_id,
    rule.suffix,
    made.slug,
    made.starts_at,
    made.cutoff_at,
    made.final_version,
    made.retired_at,
    made.window_starts_at,
    rule.id AS rule_id,
    statement_timestamp() AS read_at
FROM seasons_windowrule AS rule
CROSS JOIN
    LATERAL (
        SELECT
            season.id AS season_id,
            season.slug,
            season.starts_at,
            season.cutoff_at,
            season.final_version,
            season.retired_at,
            past.starts_at AS window_starts_at
        FROM seasons_window AS past
        INNER JOIN seasons_season AS season ON past.season_id = season.id
        WHERE
            past.rule_id = rule.id
            AND past.starts_at <= %(before_start)s
            AND (past.starts_at < %(before_start)s OR rule.id < %(before_rule)s)
            AND season.cutoff_at <= statement_timestamp()
            AND (season.retired_at IS NULL OR season.final_version IS NOT NULL)
        ORDER BY past.starts_at DESC
        LIMIT %(limit)s
    ) AS made
WHERE rule.series_id = %(series_id)s
ORDER BY made.window_starts_at DESC, rule.id DESC
LIMIT %(limit)s;
