-- Takes a partition out of scores_undo without making anybody wait; not in a transaction. Waits
-- until nobody reads by a snapshot from before. If it is broken off, it has to be finished.
ALTER TABLE scores_undo DETACH PARTITION scores_undo_n%(namespace)s CONCURRENTLY;
