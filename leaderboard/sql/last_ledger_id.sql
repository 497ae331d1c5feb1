-- Finds the last row of the ledger up to an epoch. Always one row; null: there is none.
-- Index ledger_in_epoch_order, from its end.
SELECT max(newest.id) AS id
FROM (
    SELECT ledger.id
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(namespace)s
        AND ledger.epoch <= %(through)s
    ORDER BY ledger.epoch DESC, ledger.id DESC
    LIMIT 1
) AS newest;
