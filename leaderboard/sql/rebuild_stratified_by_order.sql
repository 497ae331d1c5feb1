-- Finds players from all over an ordered board of a namespace: the first few of each bucket,
-- best buckets first. Zero rows: nobody is on it. A range scan a bucket in the order of the
-- bests, or of those of the region.
SELECT sampled.player_id
FROM (
    SELECT
        boundary.bucket,
        boundary.score,
        boundary.tie_key,
        lag(boundary.score, 1, -1) OVER upwards AS end_score,
        lag(boundary.tie_key, 1, 0::bigint) OVER upwards AS end_tie_key
    FROM leaderboard_boundary AS boundary
    WHERE boundary.boundary_set = %(boundary_set)s
    WINDOW upwards AS (ORDER BY boundary.bucket)
) AS every
CROSS JOIN
    LATERAL (
        SELECT best.player_id
        FROM scores_best AS best
        WHERE
            best.namespace = %(namespace)s
            AND best.score IS NOT NULL
            AND (%(board)s = 0 OR best.region = %(board)s)
            AND ((-best.score), best.tie_key) >= (-every.score, every.tie_key)
            AND ((-best.score), best.tie_key) < (-every.end_score, every.end_tie_key)
        ORDER BY (-best.score), best.tie_key, best.player_id
        LIMIT %(most)s
    ) AS sampled
ORDER BY every.bucket DESC;
