-- Makes a namespace's partitions of ledger, bests and undo, and the sentinel of its bests.
-- Each is made as a plain table with the matching CHECK and then attached, which takes
-- milliseconds and lets readers go on. Locks each parent (SHARE UPDATE EXCLUSIVE) until the
-- transaction ends, always in this order. Triggers on TRUNCATE are not inherited.
-- Autovacuum leaves a table alone until 10,000 rows changed: of one that it found small, the
-- planner expects that it is, until the next look a minute and a hundred thousand rows later.
CREATE TABLE scores_ledger_n%(namespace)s (
    LIKE scores_ledger INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    CONSTRAINT namespace_is_its_own CHECK (namespace = %(namespace)s)
) WITH (
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_analyze_threshold = 10000
);
ALTER TABLE scores_ledger
ATTACH PARTITION scores_ledger_n%(namespace)s FOR VALUES IN (%(namespace)s);
CREATE TRIGGER ledger_is_never_truncated BEFORE TRUNCATE ON scores_ledger_n%(namespace)s
FOR EACH STATEMENT EXECUTE FUNCTION scores_refuse_change();

CREATE TABLE scores_best_n%(namespace)s (
    LIKE scores_best INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    CONSTRAINT namespace_is_its_own CHECK (namespace = %(namespace)s)
) WITH (
    fillfactor = 85,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE scores_best
ATTACH PARTITION scores_best_n%(namespace)s FOR VALUES IN (%(namespace)s);
CREATE TRIGGER best_is_never_truncated BEFORE TRUNCATE ON scores_best_n%(namespace)s
FOR EACH STATEMENT EXECUTE FUNCTION scores_refuse_change();

CREATE TABLE scores_undo_n%(namespace)s (
    LIKE scores_undo INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    CONSTRAINT namespace_is_its_own CHECK (namespace = %(namespace)s)
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_analyze_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE scores_undo
ATTACH PARTITION scores_undo_n%(namespace)s FOR VALUES IN (%(namespace)s);

INSERT INTO scores_best (namespace, player_id, score_version, epoch, change_no)
VALUES (%(namespace)s, '', 0, 0, 0);
