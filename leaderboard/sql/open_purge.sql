-- Opens the transaction of a purge, which locks the rows that it deletes until it commits.
-- The limits end a purge that was frozen, so that the next one can go on.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '20s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
