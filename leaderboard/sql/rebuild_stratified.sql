-- Finds players from all over a namespace's global board: the first few of each bucket, best
-- buckets first. Zero rows: nobody is on it. A range scan a bucket in the order of the bests.
SELECT sampled.player_id
FROM generate_series(%(buckets)s - 1, 0, -1) AS every (bucket)
CROSS JOIN LATERAL (
    SELECT best.player_id
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND (-best.score) BETWEEN
        -(%(lower_score)s + (every.bucket + 1) * %(bucket_width)s - 1)
        AND -(%(lower_score)s + every.bucket * %(bucket_width)s)
    ORDER BY (-best.score), best.tie_key, best.player_id
    LIMIT %(most)s
) AS sampled;
