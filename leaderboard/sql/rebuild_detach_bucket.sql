-- Takes a partition out of leaderboard_bucket without making anybody wait; not in a transaction. Waits
-- until nobody reads by a snapshot from before. If it is broken off, it has to be finished.
ALTER TABLE leaderboard_bucket DETACH PARTITION leaderboard_bucket_n%(namespace)s CONCURRENTLY;
