-- Finds the rules of series that have not ended by which no window is made that is still to
-- begin, by the database's clock; a rule for all time has one window for ever.
-- Zero rows: the next window of every rule is there. No locks. The tables of series and rules
-- have a few rows each; of the windows the newest is looked up in window_once_per_start.
SELECT rule.id
FROM seasons_windowrule AS rule
INNER JOIN seasons_series AS series ON rule.series_id = series.id
LEFT JOIN LATERAL (
    SELECT made.starts_at
    FROM seasons_window AS made
    WHERE made.rule_id = rule.id
    ORDER BY made.starts_at DESC
    LIMIT 1
) AS newest ON TRUE
WHERE
    series.ended_at IS NULL
    AND (
        newest.starts_at IS NULL
        OR (newest.starts_at <= clock_timestamp() AND rule.kind <> 'all_time')
    )
ORDER BY rule.id;
