-- Finds the final seasons of series that were kept, since their cutoff, as long as the rule of
-- their series says, by the database's clock; not those that a rebuild is at work on.
-- Zero rows: none. No locks. The table of windows has a row a season.
SELECT season.id
FROM seasons_series AS series
INNER JOIN seasons_windowrule AS rule ON series.id = rule.series_id
INNER JOIN seasons_window AS made ON rule.id = made.rule_id
INNER JOIN seasons_season AS season ON made.season_id = season.id
WHERE
    series.kept_days IS NOT NULL
    AND season.final_version IS NOT NULL
    AND season.retired_at IS NULL
    AND season.cutoff_at + make_interval(days => series.kept_days) <= clock_timestamp()
    AND NOT EXISTS (
        SELECT FROM leaderboard_rebuild AS rebuild
        WHERE
            rebuild.season_id = season.id
            AND rebuild.phase NOT IN ('swapped', 'abandoned')
    )
ORDER BY season.cutoff_at, season.id;
