-- Drops a table that is no partition of leaderboard_bucket any more, or never became one.
DROP TABLE leaderboard_bucket_n%(namespace)s;
