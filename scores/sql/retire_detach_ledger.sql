-- Takes a partition out of scores_ledger without making anybody wait; not in a transaction. Waits
-- until nobody reads by a snapshot from before. If it is broken off, it has to be finished.
ALTER TABLE scores_ledger DETACH PARTITION scores_ledger_n%(namespace)s CONCURRENTLY;
