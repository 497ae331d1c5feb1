-- Notes that a service token was used. Zero rows: somebody has the row locked, or it was
-- noted within the last minute. Locks the row until commit, and never waits for it.
-- Index scores_servicetoken_pkey.
UPDATE scores_servicetoken
SET last_used_at = clock_timestamp()
WHERE
    id = (
        SELECT token.id
        FROM scores_servicetoken AS token
        WHERE
            token.id = %(token_id)s
            AND coalesce(token.last_used_at < clock_timestamp() - interval '1 minute', TRUE)
        FOR NO KEY UPDATE SKIP LOCKED
    );
