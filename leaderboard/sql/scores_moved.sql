-- Reads which scores the ledger rows of some epochs took from a board's players, and which
-- they gave. It telescopes, so the order of the changes does not matter. Always one row.
-- Index ledger_in_epoch_order.
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
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.epoch > %(after_epoch)s
    AND ledger.epoch <= %(to_epoch)s
    AND ledger.visible_in_version IS NOT NULL;
