-- Lets the session's statements go by index, for they read a few rows of tables that may have
-- any size, and gives each of them a few seconds. The session ends with the proof.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET statement_timeout = '10s';
