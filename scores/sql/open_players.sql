-- Opens a transaction that writes what is kept of players, whatever the season. The limits
-- bound each wait for a row that another writer has, and end a client that froze.
-- Sent as one unprepared string, so that all of it is one round trip.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '1500ms';
SET LOCAL idle_in_transaction_session_timeout = '2s';
