-- Makes the bests and undo of a rebuild partitions: the indexes of the bests are there already,
-- the undo has no rows yet. Locks each parent (SHARE UPDATE EXCLUSIVE) until the transaction
-- ends, in the order of `create_namespace`. Triggers on TRUNCATE are not inherited.
ALTER TABLE scores_best
ATTACH PARTITION scores_best_n%(namespace)s FOR VALUES IN (%(namespace)s);
CREATE TRIGGER best_is_never_truncated BEFORE TRUNCATE ON scores_best_n%(namespace)s
FOR EACH STATEMENT EXECUTE FUNCTION scores_refuse_change();
ALTER TABLE scores_undo
ATTACH PARTITION scores_undo_n%(namespace)s FOR VALUES IN (%(namespace)s);
