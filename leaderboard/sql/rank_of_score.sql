-- Counts the players above a score and on it, on a board at a version, whoever has it.
-- Zero rows: the version is not here. No counts: the bucket's row is lost. A bucket that never
-- had a player has none: by its age, a version 0 wrote it.
-- Index look-ups only: version_once_per_namespace, prefix_once_per_version,
-- bucket_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    EXISTS (
        SELECT FROM scores_best AS sentinel
        WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
    )
    AND (
        version.members[%(board)s + 1] = 0
        OR EXISTS (
            SELECT FROM leaderboard_bucket AS counted
            WHERE counted.namespace = %(namespace)s AND counted.board = %(board)s
        )
    ) AS boards_present,
    prefix.above + CASE
        WHEN prefix.written_by = 0 THEN 0
        ELSE leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
    END AS above,
    CASE
        WHEN prefix.written_by = 0 THEN 0
        WHEN place.in_bucket = 0
            THEN bucket.members - leaderboard_above_at(bucket.above, bucket.members, 0)
        ELSE
            leaderboard_above_at(bucket.above, bucket.members, place.in_bucket - 1)
            - leaderboard_above_at(bucket.above, bucket.members, place.in_bucket)
    END AS tied
FROM leaderboard_version AS version
CROSS JOIN
    LATERAL (
        SELECT
            (%(score)s::integer - %(lower_score)s) / %(bucket_width)s AS bucket,
            (%(score)s::integer - %(lower_score)s) / %(bucket_width)s / 64 AS slice,
            mod((%(score)s::integer - %(lower_score)s) / %(bucket_width)s, 64) AS in_slice,
            mod(%(score)s::integer - %(lower_score)s, %(bucket_width)s) AS in_bucket
    ) AS place
LEFT JOIN LATERAL (
    SELECT
        leaderboard_count_at(stored.above, place.in_slice) AS above,
        stored.version - leaderboard_count_at(stored.age, place.in_slice) AS written_by
    FROM leaderboard_prefix AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.version = version.number
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
) AS bucket ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
