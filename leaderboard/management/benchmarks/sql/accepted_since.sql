-- Counts the results accepted after an epoch that a board shows, together those that were
-- accepted together. Index ledger_in_epoch_order.
SELECT
    ledger.accepted_at,
    ledger.visible_in_version,
    count(*) AS events
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.epoch > %(epoch)s
    AND ledger.visible_in_version IS NOT NULL
GROUP BY ledger.accepted_at, ledger.visible_in_version;
