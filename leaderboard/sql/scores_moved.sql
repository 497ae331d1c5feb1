-- Reads which scores the ledger rows of some epochs took from a board's players, and which
-- they gave. It telescopes, so the order of the changes does not matter. Always one row.
-- Index ledger_in_epoch_order: the order keeps the planner to it while the table is small.
SELECT
    coalesce(
        array_agg(ledger.old_score) FILTER (
            WHERE
            ledger.old_score IS NOT NULL
            AND (%(board)s = 0 OR ledger.old_region = %(board)s)
        ),
        '{}'
    ) AS taken,
    coalesce(
        array_agg(ledger.new_score) FILTER (
            WHERE
            ledger.new_score IS NOT NULL
            AND (%(board)s = 0 OR ledger.new_region = %(board)s)
        ),
        '{}'
    ) AS given
FROM (
    SELECT
        accepted.old_score,
        accepted.new_score,
        accepted.old_region,
        accepted.new_region
    FROM scores_ledger AS accepted
    WHERE
        accepted.namespace = %(namespace)s
        AND accepted.epoch > %(after_epoch)s
        AND accepted.epoch <= %(to_epoch)s
        AND accepted.visible_in_version IS NOT NULL
    ORDER BY accepted.epoch, accepted.id
) AS ledger;
