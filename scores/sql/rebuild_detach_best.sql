-- Takes a partition out of scores_best without making anybody wait; not in a transaction. Waits
-- until nobody reads by a snapshot from before. If it is broken off, it has to be finished.
ALTER TABLE scores_best DETACH PARTITION scores_best_n%(namespace)s CONCURRENTLY;
