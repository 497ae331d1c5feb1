-- Reads what some buckets of a board count score by score at a version, and what each gained
-- since that was written; who asks knows which version wrote the newest row of each.
-- Zero rows: the version is not here. A bucket that does not come back is lost.
-- Indexes version_once_per_namespace and, bucket by bucket, prefix_once_per_version and
-- bucket_once_per_version. No locks.
SELECT
    counted.bucket,
    counted.members,
    counted.above,
    counted.places,
    counted.gained,
    counted.entered
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        newest.bucket,
        newest.members,
        newest.above,
        prefix.places[entry.before + 1:entry.last] AS places,
        substring(
            prefix.gained FROM (entry.before + 1) * 16 + 1 FOR (entry.last - entry.before) * 16
        )::bit varying AS gained,
        leaderboard_gained_at(
            prefix.places, prefix.gained, 32 * %(bucket_width)s + mod(asked.bucket, 32)
        ) AS entered
    FROM
        unnest(
            %(buckets)s::integer[],
            %(versions)s::bigint[]
        ) AS asked (bucket, version)
    CROSS JOIN
        LATERAL (
            SELECT
                stored.places,
                stored.gained
            FROM leaderboard_prefix AS stored
            WHERE
                stored.namespace = %(namespace)s
                AND stored.version = %(version)s
                AND stored.board = %(board)s
                AND stored.slice = asked.bucket / 32
            LIMIT 1
        ) AS prefix
    CROSS JOIN
        LATERAL (
            SELECT
                width_bucket((part.lowest - 1)::smallint, prefix.places) AS before,
                width_bucket((part.lowest + %(bucket_width)s - 1)::smallint, prefix.places)
                    AS last
            FROM (SELECT mod(asked.bucket, 32) * %(bucket_width)s AS lowest) AS part
        ) AS entry
    CROSS JOIN LATERAL (
        SELECT
            stored.bucket,
            stored.members,
            stored.above
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = %(board)s
            AND stored.bucket = asked.bucket
            AND stored.version = asked.version
        LIMIT 1
    ) AS newest
) AS counted ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
