-- Reads how many players each bucket of a board has at a version, lowest bucket first, and
-- the version of the row that says so. One row a bucket; no players and version 0 for a
-- bucket without a row. Index bucket_once_per_version.
SELECT
    coalesce(newest.members, 0) AS members,
    coalesce(newest.version, 0) AS version
FROM generate_series(0, %(buckets)s - 1) AS every (bucket)
LEFT JOIN
    LATERAL (
        SELECT
            stored.members,
            stored.version
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = %(board)s
            AND stored.bucket = every.bucket
            AND stored.version <= %(version)s
        ORDER BY stored.version DESC
        LIMIT 1
    ) AS newest
    ON TRUE
ORDER BY every.bucket;
