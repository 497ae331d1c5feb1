-- Finds which of the match service's events are in the ledger, with content and receipt.
-- Zero rows: none is known. No locks.
-- Index event_once_per_season, id by id: of a table it knows little of, the planner would
-- rather read all.
SELECT
    known.event_id,
    known.kind,
    known.match_id,
    known.player_id,
    known.score,
    known.score_version,
    known.completed_at,
    known.achieved_at,
    known.keeps_time,
    known.void_event_id,
    known.corrects_event_id,
    known.reason,
    known.evidence,
    known.approved_by,
    known.display,
    known.moved_to,
    known.outcome,
    known.receipt_score,
    known.receipt_version,
    known.visible_in_version
FROM unnest(%(event_ids)s::text[]) AS asked (event_id)
CROSS JOIN LATERAL (
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
        ledger.display,
        ledger.moved_to,
        ledger.outcome,
        ledger.receipt_score,
        ledger.receipt_version,
        ledger.visible_in_version
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(namespace)s
        AND ledger.kind_group = 0
        AND ledger.event_id = asked.event_id
    LIMIT 1
) AS known;
