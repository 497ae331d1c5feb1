-- Drops a table that is no partition of scores_best any more, or never became one.
DROP TABLE scores_best_n%(namespace)s;
