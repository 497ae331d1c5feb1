-- Opens a transaction of a rebuild, which fills partitions that nobody reads yet.
-- Whole tables are read here: what keeps other statements to their indexes is lifted. A server
-- whose client was killed notices within a second and rolls back.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = '20s';
SET LOCAL idle_in_transaction_session_timeout = '10s';
SET LOCAL client_connection_check_interval = '1s';
SET LOCAL plan_cache_mode = force_custom_plan;
SET LOCAL enable_seqscan = on;
SET LOCAL enable_bitmapscan = on;
SET LOCAL work_mem = '128MB';
