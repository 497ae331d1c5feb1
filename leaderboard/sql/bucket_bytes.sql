-- Sums up how many bytes of counts were written for some buckets of a counted board by the
-- versions after one, up to another. A row a bucket asked for. Index bucket_once_per_version.
SELECT
    asked.bucket,
    coalesce(written.bytes, 0) AS bytes
FROM unnest(%(buckets)s::integer[]) AS asked (bucket)
CROSS JOIN LATERAL (
    SELECT sum(octet_length(stored.above)) AS bytes
    FROM leaderboard_bucket AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.board = %(board)s
        AND stored.bucket = asked.bucket
        AND stored.version > %(after)s
        AND stored.version <= %(version)s
) AS written;
