-- Part of a statement about a score: how many players of a counted board are above it, and on it.
-- No counts: the bucket's row is lost. A bucket that never had a player has none, and no gains:
-- by its age, a version 0 wrote it. Index look-ups: prefix_once_per_version,
-- bucket_once_per_version.
SELECT
    prefix.above + CASE
        WHEN prefix.written_by = 0 THEN 0
        ELSE
            leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
            + leaderboard_gained_at(prefix.places, prefix.gained, place.of_score)
    END AS above,
    CASE
        WHEN prefix.written_by = 0 THEN 0
        WHEN place.in_bucket = 0
            THEN
                bucket.members
                + leaderboard_gained_at(prefix.places, prefix.gained, place.of_bucket)
                - leaderboard_above_at(bucket.above, bucket.members, 0)
                - leaderboard_gained_at(prefix.places, prefix.gained, place.of_score)
        ELSE
            leaderboard_above_at(bucket.above, bucket.members, place.in_bucket - 1)
            + leaderboard_gained_at(prefix.places, prefix.gained, place.of_score - 1)
            - leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
            - leaderboard_gained_at(prefix.places, prefix.gained, place.of_score)
    END AS tied
FROM (
    SELECT
        asked.score / %(bucket_width)s AS bucket,
        asked.score / (32 * %(bucket_width)s) AS slice,
        mod(asked.score / %(bucket_width)s, 32) AS in_slice,
        mod(asked.score, %(bucket_width)s) AS in_bucket,
        mod(asked.score, 32 * %(bucket_width)s) AS of_score,
        32 * %(bucket_width)s + mod(asked.score / %(bucket_width)s, 32) AS of_bucket
    FROM (SELECT %(score)s::integer - %(lower_score)s AS score) AS asked
) AS place
LEFT JOIN LATERAL (
    SELECT
        leaderboard_count_at(stored.above, place.in_slice) AS above,
        stored.version - leaderboard_count_at(stored.age, place.in_slice) AS written_by,
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
        stored.members,
        stored.above
    FROM leaderboard_bucket AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.board = %(board)s
        AND stored.bucket = place.bucket
        AND stored.version = prefix.written_by
    LIMIT 1
) AS bucket ON TRUE;
