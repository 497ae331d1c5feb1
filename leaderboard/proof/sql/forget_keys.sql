-- Forgets the keys of the board that was looked at last. The work table is the session's own.
TRUNCATE proof_key;
