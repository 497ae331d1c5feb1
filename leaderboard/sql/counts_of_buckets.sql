-- Reads what some buckets of a board count score by score at a version; who asks knows which
-- version wrote the newest row of each.
-- Zero rows: the version is not here. A bucket that does not come back is lost.
-- Indexes version_once_per_namespace and, bucket by bucket, bucket_once_per_version. No locks.
SELECT
    counted.bucket,
    counted.members,
    counted.above
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        newest.bucket,
        newest.members,
        newest.above
    FROM
        unnest(
            %(buckets)s::integer[],
            %(versions)s::bigint[]
        ) AS asked (bucket, version)
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
