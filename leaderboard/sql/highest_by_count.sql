-- noqa: disable=RF01
-- Part of a statement about consecutive players, the first of them in a row `highest`: its rank,
-- and how many players of the counted board have its score.
-- Zero rows: the prefixes or the buckets are lost. Index look-ups: prefix_once_per_version,
-- bucket_once_per_version.
SELECT
    1
    + leaderboard_count_at(prefix.above, place.in_slice)
    + leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
    + leaderboard_gained_at(prefix.places, prefix.gained, place.of_score) AS rank,
    CASE place.in_bucket
        WHEN 0
            THEN
                bucket.members
                + leaderboard_gained_at(prefix.places, prefix.gained, place.of_bucket)
        ELSE
            leaderboard_above_at(bucket.above, bucket.members, place.in_bucket - 1)
            + leaderboard_gained_at(prefix.places, prefix.gained, place.of_score - 1)
    END
    - leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
    - leaderboard_gained_at(prefix.places, prefix.gained, place.of_score) AS tied
FROM (
    SELECT
        counted.score / %(bucket_width)s AS bucket,
        counted.score / (32 * %(bucket_width)s) AS slice,
        mod(counted.score / %(bucket_width)s, 32) AS in_slice,
        mod(counted.score, %(bucket_width)s) AS in_bucket,
        mod(counted.score, 32 * %(bucket_width)s) AS of_score,
        32 * %(bucket_width)s + mod(counted.score / %(bucket_width)s, 32) AS of_bucket
    FROM (SELECT highest.score - %(lower_score)s AS score) AS counted
) AS place
CROSS JOIN
    LATERAL (
        SELECT
            stored.above,
            stored.age,
            stored.places,
            stored.gained
        FROM leaderboard_prefix AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.version = %(version)s
            AND stored.board = %(board)s
            AND stored.slice = place.slice
        LIMIT 1
    ) AS prefix
CROSS JOIN LATERAL (
    SELECT
        stored.above,
        stored.members
    FROM leaderboard_bucket AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.board = %(board)s
        AND stored.bucket = place.bucket
        AND stored.version
        = %(version)s - leaderboard_count_at(prefix.age, place.in_slice)
    LIMIT 1
) AS bucket;
