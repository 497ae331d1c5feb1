-- Makes the work table for what the ledger has of each epoch. It is temporary: it goes with the
-- session, however it ends.
CREATE TEMP TABLE proof_epoch (
    epoch bigint NOT NULL,
    events bigint NOT NULL,
    hash numeric NOT NULL,
    altered bigint NOT NULL
);
