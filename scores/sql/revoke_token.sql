-- Revokes a service token from now on; an earlier revocation stays. Zero rows: no such name.
-- Locks the row until commit. Index scores_servicetoken_name_key.
UPDATE scores_servicetoken
SET revoked_at = coalesce(revoked_at, clock_timestamp())
WHERE name = %(name)s;
