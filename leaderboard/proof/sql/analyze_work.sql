-- Lets the planner know how large the work tables are.
ANALYZE proof_player;
ANALYZE proof_asked;
ANALYZE proof_key;
