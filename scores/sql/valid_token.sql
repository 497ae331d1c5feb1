-- Finds the service token with a hash if it is valid now, and whether to note its use.
-- Zero rows: unknown, revoked or expired. Index scores_servicetoken_token_hash_key. No locks.
SELECT
    token.id,
    token.scopes,
    coalesce(token.last_used_at < clock_timestamp() - interval '1 minute', TRUE) AS use_is_due
FROM scores_servicetoken AS token
WHERE
    token.token_hash = %(token_hash)s
    AND token.revoked_at IS NULL
    AND (token.expires_at IS NULL OR token.expires_at > clock_timestamp());
