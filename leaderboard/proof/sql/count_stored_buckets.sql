-- Takes the counts of the buckets' own rows at the version, each as if all of its players had
-- its lowest score. Index bucket_once_per_version, bucket by bucket.
INSERT INTO proof_key (score, tie_key, bucket, players, above, hash)
SELECT
    %(lower_score)s + every.bucket * %(bucket_width)s AS score,
    0 AS tie_key,
    every.bucket,
    newest.members AS players,
    sum(newest.members) OVER (ORDER BY every.bucket DESC) - newest.members AS above,
    0 AS hash
FROM generate_series(0, %(buckets)s::integer - 1) AS every (bucket)
CROSS JOIN
    LATERAL (
        SELECT bucket_row.members
        FROM leaderboard_bucket AS bucket_row
        WHERE
            bucket_row.namespace = %(namespace)s
            AND bucket_row.board = 0
            AND bucket_row.bucket = every.bucket
            AND bucket_row.version <= %(version)s
        ORDER BY bucket_row.version DESC
        LIMIT 1
    ) AS newest
WHERE newest.members > 0;
