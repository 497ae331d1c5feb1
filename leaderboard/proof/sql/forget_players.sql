-- Forgets the folded players. The work table is the session's own.
DELETE FROM proof_player;
