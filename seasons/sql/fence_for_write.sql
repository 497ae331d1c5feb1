-- Opens a writer's transaction behind the season's epoch fence, in shared mode.
-- The limits stand before the fence, or they would not bound the wait for it.
-- Locks the fence until the end of the transaction; a seal waits for all writers before it.
-- Sent as one unprepared string, so that all of it is one round trip.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '1500ms';
SET LOCAL idle_in_transaction_session_timeout = '2s';
SELECT pg_advisory_xact_lock_shared(1, %(season_id)s);
