-- Locks one correction request until the transaction ends and reads what was asked for, so
-- that it is decided on once. Zero rows: there is none. Index scores_correctionrequest_pkey.
SELECT
    request.id,
    request.season_id,
    request.player_id,
    request.kind,
    request.corrected_score,
    request.void_event_id,
    request.corrects_event_id,
    request.reason,
    request.evidence,
    request.requested_by_id,
    request.status,
    request.event_id
FROM scores_correctionrequest AS request
WHERE request.id = %(request_id)s
FOR NO KEY UPDATE;
