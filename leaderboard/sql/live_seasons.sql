-- Finds the seasons that have begun by the database's clock and are not final, and the final
-- ones with a correction that no version includes. Zero rows: none. The table has a row a
-- season; for each final one the tallies after its current version are looked up.
SELECT season.id
FROM seasons_season AS season
WHERE
    season.starts_at <= clock_timestamp()
    AND (
        season.final_version IS NULL
        OR (
            SELECT TRUE
            FROM leaderboard_current AS current_version
            CROSS JOIN
                LATERAL (
                    SELECT
                    FROM scores_tally AS tally
                    WHERE
                        tally.namespace = season.ledger_namespace
                        AND tally.epoch > current_version.through
                        AND tally.changes > 0
                    LIMIT 1
                ) AS changed
            WHERE current_version.season_id = season.id
            LIMIT 1
        )
    )
ORDER BY season.id;
