-- Finds the rows of the ledger whose content has another hash than they were written with.
-- Zero rows: there are none. Index ledger_in_epoch_order, in the epochs that have some.
SELECT
    altered.player_id AS place,
    format('event %%s with hash %%s', altered.event_id, altered.row_hash) AS expected,
    format(
        'kind %%s, score %%s, outcome %%s, from %%s to %%s, with hash %%s',
        altered.kind,
        altered.score,
        altered.outcome,
        altered.old_score,
        altered.new_score,
        altered.hash
    ) AS found,
    epochs.differing::bigint AS differing
FROM (
    SELECT
        counted.epoch,
        sum(counted.altered) OVER () AS differing
    FROM proof_epoch AS counted
    WHERE counted.altered > 0
    ORDER BY counted.epoch
    LIMIT %(most)s
) AS epochs
CROSS JOIN
    LATERAL (
        SELECT hashed.*
        FROM proof_hashed AS hashed
        WHERE hashed.epoch = epochs.epoch
    ) AS altered
WHERE altered.row_hash <> altered.hash
ORDER BY epochs.epoch, altered.id
LIMIT %(most)s;
