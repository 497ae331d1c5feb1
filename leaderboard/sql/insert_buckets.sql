-- Writes the new rows of the touched buckets of a board: copy on write.
INSERT INTO leaderboard_bucket (namespace, board, bucket, version, members, above)
SELECT
    %(namespace)s,
    %(board)s,
    touched.bucket,
    %(version)s,
    touched.members,
    touched.above
FROM unnest(
    %(buckets)s::integer[], %(members)s::integer[], %(above)s::bytea[]
) AS touched (bucket, members, above);
