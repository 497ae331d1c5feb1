-- Reads the players with a visible change in the epochs between two versions, each once, in
-- order of their ids. Zero rows: none. No locks. Index ledger_in_epoch_order, to which the
-- inner order keeps the planner: after a season is final there are corrections only.
SELECT DISTINCT changed.player_id
FROM (
    SELECT ledger.player_id
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(namespace)s
        AND ledger.epoch > %(old)s
        AND ledger.epoch <= %(new)s
        AND ledger.visible_in_version IS NOT NULL
    ORDER BY ledger.epoch, ledger.id
) AS changed
ORDER BY changed.player_id
LIMIT %(limit)s;
