-- Forgets which players were asked for. The work table is the session's own.
DELETE FROM proof_asked;
