-- Finds the rows of the ledger whose content has another hash than they were written with.
-- Zero rows: there are none. Index ledger_in_epoch_order, in the epochs that have some.
SELECT
    altered.player_id AS place,
    format('event %%s with hash %%s', altered.event_id, altered.row_hash) AS expected,
    format(
        'kind %%s, score %%s, outcome %%s, from %%s to %%s, with hash %%s',
        altered.kind,
        altered.score,
        altered.outcome,
        altered.old_score,
        altered.new_score,
        altered.hash
    ) AS found,
    epochs.differing::bigint AS differing
FROM (
    SELECT
        counted.epoch,
        sum(counted.altered) OVER () AS differing
    FROM proof_epoch AS counted
    WHERE counted.altered > 0
    ORDER BY counted.epoch
    LIMIT %(most)s
) AS epochs
CROSS JOIN
    LATERAL (
        SELECT
            ledger.*,
            hash_record_extended(
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
            ) AS hash
        FROM scores_ledger AS ledger
        WHERE ledger.namespace = %(ledger_namespace)s AND ledger.epoch = epochs.epoch
    ) AS altered
WHERE altered.row_hash <> altered.hash
ORDER BY epochs.epoch, altered.id
LIMIT %(most)s;
