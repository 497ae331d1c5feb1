-- Opens a transaction that changes a season's state, behind its epoch fence in exclusive mode:
-- no write sees two states. Locks the fence until the end of the transaction. The wait is
-- bounded, else slow batches would starve the writers behind it.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '1500ms';
SET LOCAL idle_in_transaction_session_timeout = '2s';
SET LOCAL lock_timeout = %(lock_milliseconds)s;
SELECT pg_advisory_xact_lock(1, %(season_id)s);
