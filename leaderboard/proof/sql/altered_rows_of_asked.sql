-- Finds the rows of the ledger, of the players asked for, whose content has another hash than
-- they were written with. Zero rows: there are none. Index change_once_per_player.
SELECT
    altered.player_id AS place,
    format('event %%s with hash %%s', altered.event_id, altered.row_hash) AS expected,
    format('score %%s, with hash %%s', altered.score, altered.hash) AS found,
    count(*) OVER () AS differing
FROM proof_asked AS asked
CROSS JOIN
    LATERAL (
        SELECT
            ledger.player_id,
            ledger.event_id,
            ledger.score,
            ledger.row_hash,
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
        WHERE ledger.namespace = %(ledger_namespace)s AND ledger.player_id = asked.player_id
        ORDER BY ledger.change_no
    ) AS altered
WHERE altered.row_hash <> altered.hash
ORDER BY altered.player_id
LIMIT %(most)s;
