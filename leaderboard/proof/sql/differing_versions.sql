-- Compares how many rows the ledger had at each version that is still known, and the sum of
-- their hashes, with the ledger of now. Between two versions that differ by as much, nothing
-- was altered: the ranges of epochs that come back are those in which something was.
-- Zero rows: nothing was. Indexes publication_once_per_number, version_once_per_namespace and
-- leaderboard_current_pkey.
SELECT
    CASE
        WHEN compared.previous = compared.epoch THEN format('version %%s', compared.epoch)
        ELSE format('epochs %%s to %%s', compared.previous + 1, compared.epoch)
    END AS place,
    format('%%s rows, hash %%s', compared.told_events, compared.told_hash) AS expected,
    format(
        '%%s rows, hash %%s',
        compared.told_events + compared.more_events,
        compared.told_hash + compared.more_hash
    ) AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        summed.epoch,
        lag(summed.epoch, 1, 0::bigint) OVER in_order AS previous,
        summed.told_events - lag(summed.told_events, 1, 0::numeric) OVER in_order AS told_events,
        summed.told_hash - lag(summed.told_hash, 1, 0::numeric) OVER in_order AS told_hash,
        summed.more_events - lag(summed.more_events, 1, 0::numeric) OVER in_order AS more_events,
        summed.more_hash - lag(summed.more_hash, 1, 0::numeric) OVER in_order AS more_hash
    FROM (
        SELECT
            side_by_side.epoch,
            side_by_side.is_told,
            side_by_side.told_events,
            side_by_side.told_hash,
            sum(side_by_side.events) OVER so_far - side_by_side.told_events AS more_events,
            sum(side_by_side.hash) OVER so_far - side_by_side.told_hash AS more_hash
        FROM (
            SELECT
                counted.epoch,
                FALSE AS is_told,
                counted.events,
                counted.hash,
                0::numeric AS told_events,
                0::numeric AS told_hash
            FROM proof_epoch AS counted
            UNION ALL
            SELECT
                told.number,
                TRUE AS is_told,
                0 AS events,
                0 AS hash,
                told.ledger_rows,
                told.ledger_hash
            FROM (
                SELECT
                    publication.number,
                    publication.ledger_rows,
                    publication.ledger_hash
                FROM leaderboard_publication AS publication
                WHERE
                    publication.season_id = %(season_id)s
                    AND publication.number <= %(through)s
                UNION
                SELECT
                    version.number,
                    version.ledger_rows,
                    version.ledger_hash
                FROM leaderboard_version AS version
                WHERE
                    version.namespace = %(namespace)s
                    AND version.number <= %(through)s
                UNION
                SELECT
                    current_version.through,
                    current_version.ledger_rows,
                    current_version.ledger_hash
                FROM leaderboard_current AS current_version
                WHERE
                    current_version.season_id = %(season_id)s
                    AND current_version.through <= %(through)s
            ) AS told
        ) AS side_by_side
        WINDOW so_far AS (
            ORDER BY side_by_side.epoch, side_by_side.is_told ROWS UNBOUNDED PRECEDING
        )
    ) AS summed
    WHERE summed.is_told
    WINDOW in_order AS (ORDER BY summed.epoch)
) AS compared
WHERE compared.more_events <> 0 OR compared.more_hash <> 0
ORDER BY compared.epoch
LIMIT %(most)s;
