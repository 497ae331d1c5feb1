-- Makes tables for a namespace's bests and undo, for a rebuild to fill: without indexes, and no
-- partitions yet, so that rows are only appended. Triggers on TRUNCATE come with the attachment.
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
INSERT INTO scores_best_n%(namespace)s (namespace, player_id, score_version, epoch, change_no)
VALUES (%(namespace)s, '', 0, 0, 0);
