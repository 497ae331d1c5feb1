-- Reads the boundaries of a set, lowest bucket first: big-endian integers, one after the
-- other. Always one row. Index boundary_once_per_bucket. No locks: a set never changes.
SELECT
    coalesce(string_agg(int4send(boundary.score), ''), '') AS scores,
    coalesce(string_agg(int8send(boundary.tie_key), ''), '') AS tie_keys
FROM (
    SELECT
        begun.score,
        begun.tie_key
    FROM leaderboard_boundary AS begun
    WHERE begun.boundary_set = %(boundary_set)s
    ORDER BY begun.bucket
) AS boundary;
