-- Opens the transaction of a swap and waits for the publisher's lock; the epoch fence comes
-- after what can be done before it. The limits end a swap that was frozen.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '20s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
SET LOCAL client_connection_check_interval = '1s';
SET LOCAL lock_timeout = '2s';
SELECT pg_advisory_xact_lock(2, %(season_id)s);
