-- Finds the correction requests that nobody has decided on, oldest first, after a place.
-- Zero rows: none. No locks. Index request_waiting_in_order.
SELECT request.id
FROM scores_correctionrequest AS request
WHERE
    request.status = 'requested'
    AND (request.requested_at, request.id) > (%(after_time)s::timestamptz, %(after_id)s::bigint)
ORDER BY request.requested_at, request.id
LIMIT %(most)s;
