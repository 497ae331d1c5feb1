-- Reads how many players each bucket of a board has at a version, lowest bucket first.
-- One row a bucket; zero players for a bucket without a row. Index bucket_once_per_version.
SELECT
    coalesce((
        SELECT stored.members
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = %(board)s
            AND stored.bucket = every.bucket
            AND stored.version <= %(version)s
        ORDER BY stored.version DESC
        LIMIT 1
    ), 0) AS members
FROM generate_series(0, %(buckets)s - 1) AS every (bucket)
ORDER BY every.bucket;
