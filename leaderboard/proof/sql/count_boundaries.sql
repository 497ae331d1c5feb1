-- Counts the buckets of an ordered board. Always one row. Index boundary_once_per_bucket.
SELECT count(*) AS buckets
FROM leaderboard_boundary AS boundary
WHERE boundary.boundary_set = %(boundary_set)s;
