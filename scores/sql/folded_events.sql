-- Reads the events of a player that count, in the order in which they were applied; they fold
-- in order of version. The player's best is locked by an earlier statement.
-- Zero rows: none counts. Index change_once_per_player: the order keeps the planner to it
-- while the table is small.
SELECT
    ledger.event_id,
    ledger.kind,
    ledger.score,
    ledger.completed_at,
    ledger.achieved_at,
    ledger.keeps_time,
    ledger.void_event_id,
    ledger.score_version,
    ledger.revision,
    ledger.change_no
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.player_id = %(player_id)s
    AND ledger.change_no IS NOT NULL
    AND ledger.outcome IN ('improved', 'not_improved', 'corrected')
ORDER BY ledger.change_no;
