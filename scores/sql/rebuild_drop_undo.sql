-- Drops a table that is no partition of scores_undo any more, or never became one.
DROP TABLE scores_undo_n%(namespace)s;
