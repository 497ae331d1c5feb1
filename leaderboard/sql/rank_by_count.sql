-- noqa: disable=RF01
-- Part of a statement about players, each in a row `shown`: the rank on a counted board, by
-- two index look-ups. No rank: the prefixes or the buckets are lost.
-- Indexes prefix_once_per_version and bucket_once_per_version.
SELECT
    1
    + leaderboard_count_at(prefix.above, place.in_slice)
    + leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
    + leaderboard_gained_at(
        prefix.places,
        prefix.gained,
        mod(shown.score - %(lower_score)s, 32 * %(bucket_width)s)
    ) AS rank
FROM (
    SELECT
        (shown.score - %(lower_score)s) / %(bucket_width)s AS bucket,
        (shown.score - %(lower_score)s) / %(bucket_width)s / 32 AS slice,
        mod((shown.score - %(lower_score)s) / %(bucket_width)s, 32) AS in_slice,
        mod(shown.score - %(lower_score)s, %(bucket_width)s) AS in_bucket
) AS place
LEFT JOIN LATERAL (
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
) AS prefix ON TRUE
LEFT JOIN LATERAL (
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
) AS bucket ON TRUE;
