-- Deletes bucket rows that no readable version needs: those with a newer row of the same
-- bucket at or before the oldest readable version. Only buckets written since the oldest
-- version of before can have become so. Indexes bucket_in_version_order and
-- bucket_once_per_version.
DELETE FROM leaderboard_bucket AS older
USING leaderboard_bucket AS newer
WHERE
    newer.namespace = %(namespace)s
    AND newer.version > %(oldest_before)s
    AND newer.version <= %(oldest)s
    AND older.namespace = %(namespace)s
    AND older.board = newer.board
    AND older.bucket = newer.bucket
    AND older.version < newer.version;
