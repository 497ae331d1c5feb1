-- Sums what the ledger rows of some epochs did to the number of players on each score of
-- each board: the old score loses one, the new one gains one. It telescopes, so the order of
-- the changes does not matter. Always one row, of arrays of equal length.
-- Index ledger_in_epoch_order.
SELECT
    coalesce(array_agg(delta.board), '{}') AS boards,
    coalesce(array_agg(delta.score), '{}') AS scores,
    coalesce(array_agg(delta.players), '{}') AS players
FROM (
    SELECT
        side.board,
        side.score,
        sum(side.players)::integer AS players
    FROM scores_ledger AS ledger
    CROSS JOIN
        LATERAL (
            VALUES
            (0, ledger.old_score, -1),
            (0, ledger.new_score, 1),
            (ledger.old_region::integer, ledger.old_score, -1),
            (ledger.new_region::integer, ledger.new_score, 1)
        ) AS side (board, score, players)
    WHERE
        ledger.namespace = %(namespace)s
        AND ledger.epoch > %(after_epoch)s
        AND ledger.epoch <= %(to_epoch)s
        AND ledger.visible_in_version IS NOT NULL
        AND side.score IS NOT NULL
        AND side.board IS NOT NULL
    GROUP BY side.board, side.score
    HAVING sum(side.players) <> 0
) AS delta;
