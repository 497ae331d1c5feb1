-- Reads the events that touched a player's best and come before a change, newest first.
-- Zero rows: no more. No locks. Index change_once_per_player, read backwards.
SELECT
    ledger.id,
    ledger.epoch,
    ledger.kind_group,
    ledger.kind,
    ledger.event_id,
    ledger.match_id,
    ledger.player_id,
    ledger.score,
    ledger.score_version,
    ledger.revision,
    ledger.completed_at,
    ledger.accepted_at,
    ledger.outcome,
    ledger.void_event_id,
    ledger.corrects_event_id,
    ledger.reason,
    ledger.evidence,
    ledger.approved_by,
    ledger.receipt_score,
    ledger.receipt_version,
    ledger.visible_in_version,
    ledger.change_no,
    ledger.old_score,
    ledger.new_score
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.player_id = %(player_id)s
    AND ledger.change_no < %(before)s
ORDER BY ledger.change_no DESC
LIMIT %(most)s;
