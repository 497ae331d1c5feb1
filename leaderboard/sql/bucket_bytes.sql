-- Sums up how many bytes were written for some buckets of a counted board by the versions after
-- one, up to another: those of counts, and of what they gained since, beside the prefixes.
-- A row a bucket asked for. Indexes bucket_once_per_version, version_once_per_namespace and,
-- version by version, prefix_once_per_version.
SELECT
    asked.bucket,
    coalesce(written.bytes, 0) + coalesce(kept.bytes, 0) AS bytes
FROM unnest(%(buckets)s::integer[]) AS asked (bucket)
CROSS JOIN
    LATERAL (
        SELECT sum(octet_length(stored.above)) AS bytes
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = %(board)s
            AND stored.bucket = asked.bucket
            AND stored.version > %(after)s
            AND stored.version <= %(version)s
    ) AS written
CROSS JOIN LATERAL (
    SELECT
        4 * sum(
            width_bucket((part.lowest + %(bucket_width)s - 1)::smallint, prefix.places)
            - width_bucket((part.lowest - 1)::smallint, prefix.places)
        ) AS bytes
    FROM leaderboard_version AS version
    CROSS JOIN
        LATERAL (
            SELECT stored.places
            FROM leaderboard_prefix AS stored
            WHERE
                stored.namespace = %(namespace)s
                AND stored.version = version.number
                AND stored.board = %(board)s
                AND stored.slice = asked.bucket / 32
            LIMIT 1
        ) AS prefix
    CROSS JOIN
        LATERAL (
            SELECT mod(asked.bucket, 32) * %(bucket_width)s AS lowest
        ) AS part
    WHERE
        version.namespace = %(namespace)s
        AND version.number > %(after)s
        AND version.number <= %(version)s
) AS kept;
