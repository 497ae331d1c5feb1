"""What was achieved: the ledger, the bests it folds to, corrections, service tokens."""
