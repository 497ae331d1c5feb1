-- Makes the view of the ledger that tells which hash each row's content has now, the columns
-- in the order in which they are hashed when it is written. It is temporary: it goes with the
-- session, however it ends.
CREATE TEMP VIEW proof_hashed AS
SELECT
    ledger.id,
    ledger.epoch,
    ledger.kind,
    ledger.event_id,
    ledger.player_id,
    ledger.score,
    ledger.outcome,
    ledger.change_no,
    ledger.old_score,
    ledger.new_score,
    ledger.row_hash,
    hash_record_extended(
        row(
            ledger.epoch, ledger.kind_group, ledger.kind, ledger.accepted_at,
            ledger.event_id, ledger.match_id, ledger.player_id, ledger.score,
            ledger.score_version, ledger.revision, ledger.completed_at,
            ledger.achieved_at, ledger.keeps_time, ledger.void_event_id,
            ledger.corrects_event_id, ledger.reason, ledger.evidence, ledger.approved_by,
            ledger.display, ledger.moved_to, ledger.outcome,
            ledger.receipt_score, ledger.receipt_version,
            ledger.visible_in_version, ledger.change_no, ledger.old_score,
            ledger.new_score, ledger.old_region, ledger.new_region, ledger.old_tie_key,
            ledger.new_tie_key
        ),
        0
    ) AS hash
FROM scores_ledger AS ledger
WHERE ledger.namespace = %(namespace)s;
