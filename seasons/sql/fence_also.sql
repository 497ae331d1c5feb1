-- Joins one more season to a writer's transaction: its epoch fence, in shared mode, until the
-- end of the transaction. Sent in the same string as the first one's.
SELECT pg_advisory_xact_lock_shared(1, %(season_id)s);
