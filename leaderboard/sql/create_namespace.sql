-- Makes a namespace's partition of the buckets, after those of ledger, bests and undo.
-- Locks the parent (SHARE UPDATE EXCLUSIVE) until the transaction ends; readers go on.
CREATE TABLE leaderboard_bucket_n%(namespace)s (
    LIKE leaderboard_bucket INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    CONSTRAINT namespace_is_its_own CHECK (namespace = %(namespace)s)
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE leaderboard_bucket
ATTACH PARTITION leaderboard_bucket_n%(namespace)s FOR VALUES IN (%(namespace)s);
