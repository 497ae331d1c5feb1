-- Finds the boundaries of an ordered board that are not numbered from 0 without a gap, or whose
-- key is not better than that of the bucket below. Zero rows: all are in order.
-- Index boundary_once_per_bucket.
SELECT
    'bucket ' || compared.bucket AS place,
    format(
        'bucket %%s, above score %%s, tie key %%s',
        compared.turn,
        compared.lower_score,
        compared.lower_tie_key
    ) AS expected,
    format('score %%s, tie key %%s', compared.score, compared.tie_key) AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        boundary.bucket,
        boundary.score,
        boundary.tie_key,
        row_number() OVER upwards - 1 AS turn,
        lag(boundary.score) OVER upwards AS lower_score,
        lag(boundary.tie_key) OVER upwards AS lower_tie_key
    FROM leaderboard_boundary AS boundary
    WHERE boundary.boundary_set = %(boundary_set)s
    WINDOW upwards AS (ORDER BY boundary.bucket)
) AS compared
WHERE
    compared.bucket <> compared.turn
    OR (-compared.score, compared.tie_key) >= (-compared.lower_score, compared.lower_tie_key)
ORDER BY compared.bucket DESC
LIMIT %(most)s;
