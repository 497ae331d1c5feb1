-- Reads the newest rows of some buckets of a board at a version.
-- A bucket that never had a player does not come back. Index bucket_once_per_version.
SELECT
    latest.bucket,
    latest.members,
    latest.above
FROM unnest(%(buckets)s::integer[]) AS asked (bucket)
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
        AND stored.version <= %(version)s
    ORDER BY stored.version DESC
    LIMIT 1
) AS latest;
