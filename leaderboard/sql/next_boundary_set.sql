-- Takes a number that no set of boundaries has had. Always one row. No locks.
SELECT nextval('leaderboard_boundary_set');
