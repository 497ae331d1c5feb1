-- Chooses a few buckets of an ordered board with players, but not too many to be counted in
-- passing: the range of keys of each, how many players it has, and the rank of the first.
-- Zero rows: there is none. Indexes boundary_once_per_bucket and prefix_once_per_version.
SELECT
    counted.bucket,
    counted.players,
    1 + counted.above AS first_rank,
    counted.score,
    counted.tie_key,
    counted.end_score,
    counted.end_tie_key
FROM (
    SELECT
        stored.bucket,
        stored.score,
        stored.tie_key,
        stored.above,
        lag(stored.above, 1, %(members)s::bigint) OVER upwards - stored.above AS players,
        lag(stored.score, 1, -1) OVER upwards AS end_score,
        lag(stored.tie_key, 1, 0::bigint) OVER upwards AS end_tie_key
    FROM (
        SELECT
            boundary.bucket,
            boundary.score,
            boundary.tie_key,
            substring(
                prefix.above FROM mod(boundary.bucket, 64) * 32 + 1 FOR 32
            )::integer::bigint AS above
        FROM leaderboard_boundary AS boundary
        INNER JOIN leaderboard_prefix AS prefix
            ON
                prefix.namespace = %(namespace)s
                AND prefix.version = %(version)s
                AND prefix.board = %(board)s
                AND boundary.bucket / 64 = prefix.slice
        WHERE boundary.boundary_set = %(boundary_set)s
    ) AS stored
    WINDOW upwards AS (ORDER BY stored.bucket)
) AS counted
WHERE counted.players BETWEEN 1 AND 20000
ORDER BY random()
LIMIT 8;
