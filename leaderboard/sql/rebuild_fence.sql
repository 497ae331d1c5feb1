-- Takes the epoch fence of a season exclusively until the transaction ends: every write is then
-- committed or gone. The wait is bounded, else slow batches would starve the writers.
SET LOCAL lock_timeout = %(lock_milliseconds)s;
SELECT pg_advisory_xact_lock(1, %(season_id)s);
