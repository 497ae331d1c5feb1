-- Opens a publisher's transaction; whether the lock was free is asked by the next statement.
-- The limits end a publisher that was frozen, so that the next one can go on.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '20s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
