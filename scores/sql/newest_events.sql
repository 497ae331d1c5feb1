-- Reads the newest events of a season that come before a place, newest first.
-- Zero rows: no more. No locks. Index ledger_in_epoch_order, read backwards.
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
    AND (ledger.epoch, ledger.id) < (%(before_epoch)s, %(before_id)s)
ORDER BY ledger.epoch DESC, ledger.id DESC
LIMIT %(most)s;
