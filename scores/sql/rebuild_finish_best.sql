-- Finishes taking a partition out of scores_best that was begun and broken off. Waits as the first
-- try did.
ALTER TABLE scores_best DETACH PARTITION scores_best_n%(namespace)s FINALIZE;
