-- Reads the events with an id: the match service's, and our own that may have the same.
-- Zero rows: there is none. No locks. Unique index event_once_per_season, a look-up a group.
SELECT found.*
FROM unnest(ARRAY[0, 1]::smallint[]) AS asked (kind_group)
CROSS JOIN
    LATERAL (
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
            AND ledger.kind_group = asked.kind_group
            AND ledger.event_id = %(event_id)s
        LIMIT 1
    ) AS found
ORDER BY asked.kind_group;
