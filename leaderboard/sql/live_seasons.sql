-- Finds the seasons that have begun by the database's clock and are not final, and the final
-- ones with a correction that no version includes; first the one whose version is oldest, so
-- that none starves when there is more to do than a second has time for.
-- Zero rows: none. The table has a row a season; for each final one the tallies after its
-- current version are looked up.
SELECT season.id
FROM seasons_season AS season
LEFT JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
WHERE
    season.retired_at IS NULL
    AND season.starts_at <= clock_timestamp()
    AND (
        season.final_version IS NULL
        OR (
            SELECT TRUE
            FROM scores_tally AS tally
            WHERE
                tally.namespace = season.ledger_namespace
                AND tally.epoch > current_version.through
                AND tally.changes > 0
            LIMIT 1
        )
    )
ORDER BY current_version.as_of NULLS FIRST, season.id;
