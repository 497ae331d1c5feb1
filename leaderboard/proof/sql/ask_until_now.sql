-- Asks for the fold of the same players by all that the ledger has of them.
UPDATE proof_asked SET through = 9223372036854775807;
