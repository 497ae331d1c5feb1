-- Finishes taking a partition out of leaderboard_bucket that was begun and broken off. Waits as the first
-- try did.
ALTER TABLE leaderboard_bucket DETACH PARTITION leaderboard_bucket_n%(namespace)s FINALIZE;
