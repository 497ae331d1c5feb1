-- Deletes bucket rows that no readable version needs: those with a newer row of the same
-- bucket at or before the oldest readable version. Each row written since the oldest version
-- of before replaced one such. Indexes bucket_in_version_order, then bucket_once_per_version
-- row by row: a join with all older rows would read every row of the namespace.
DELETE FROM leaderboard_bucket AS older
USING leaderboard_bucket AS newer
CROSS JOIN
    LATERAL (
        SELECT
            stored.board,
            stored.bucket,
            stored.version
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = newer.board
            AND stored.bucket = newer.bucket
            AND stored.version < newer.version
        ORDER BY stored.version DESC
        LIMIT 1
    ) AS replaced
WHERE
    newer.namespace = %(namespace)s
    AND newer.version > %(oldest_before)s
    AND newer.version <= %(oldest)s
    AND older.namespace = %(namespace)s
    AND older.board = replaced.board
    AND older.bucket = replaced.bucket
    AND older.version = replaced.version;
