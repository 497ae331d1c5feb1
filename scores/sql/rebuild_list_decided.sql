-- Adds to the list every player about whom something was decided, whenever that was.
-- Reads the whole ledger of the season.
INSERT INTO scores_rebuild_changed AS listed (player_id, decided)
SELECT DISTINCT
    ledger.player_id,
    TRUE
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(ledger_namespace)s
    AND ledger.change_no IS NOT NULL
    AND ledger.epoch <= %(through)s
    AND ledger.kind NOT IN ('result', 'region')
ON CONFLICT (player_id) DO NOTHING;
