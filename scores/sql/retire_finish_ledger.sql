-- Finishes taking a partition out of scores_ledger that was begun and broken off. Waits as the first
-- try did.
ALTER TABLE scores_ledger DETACH PARTITION scores_ledger_n%(namespace)s FINALIZE;
