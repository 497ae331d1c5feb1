-- Finishes taking a partition out of scores_undo that was begun and broken off. Waits as the first
-- try did.
ALTER TABLE scores_undo DETACH PARTITION scores_undo_n%(namespace)s FINALIZE;
