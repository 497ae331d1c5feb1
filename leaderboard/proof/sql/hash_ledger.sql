-- Counts the rows of each epoch of the ledger, adds up the hashes that they were written with,
-- and counts those whose content has another hash now. One pass over all of it.
INSERT INTO proof_epoch (epoch, events, hash, altered)
SELECT
    ledger.epoch,
    count(*) AS events,
    sum(ledger.row_hash) AS hash,
    count(*) FILTER (
        WHERE ledger.row_hash <> hash_record_extended(
            row(
                ledger.epoch, ledger.kind_group, ledger.kind, ledger.accepted_at,
                ledger.event_id, ledger.match_id, ledger.player_id, ledger.score,
                ledger.score_version, ledger.revision, ledger.completed_at,
                ledger.achieved_at, ledger.keeps_time, ledger.void_event_id,
                ledger.corrects_event_id, ledger.reason, ledger.evidence, ledger.approved_by,
                ledger.outcome, ledger.receipt_score, ledger.receipt_version,
                ledger.visible_in_version, ledger.change_no, ledger.old_score,
                ledger.new_score, ledger.old_region, ledger.new_region, ledger.old_tie_key,
                ledger.new_tie_key
            ),
            0
        )
    ) AS altered
FROM scores_ledger AS ledger
WHERE ledger.namespace = %(ledger_namespace)s AND ledger.epoch <= %(through)s
GROUP BY ledger.epoch;
