-- Finds which of the match service's events are in the ledger, with content and receipt.
-- Zero rows: none is known. Index event_once_per_season. No locks.
SELECT
    ledger.event_id,
    ledger.kind,
    ledger.match_id,
    ledger.player_id,
    ledger.score,
    ledger.score_version,
    ledger.completed_at,
    ledger.achieved_at,
    ledger.keeps_time,
    ledger.void_event_id,
    ledger.corrects_event_id,
    ledger.reason,
    ledger.evidence,
    ledger.approved_by,
    ledger.outcome,
    ledger.receipt_score,
    ledger.receipt_version,
    ledger.visible_in_version
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.kind_group = 0
    AND ledger.event_id = any(%(event_ids)s::text[]);
