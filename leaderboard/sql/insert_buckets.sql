-- Writes new rows of the buckets of a board that are settled: copy on write.
-- `above` is of all of them, one after the other, with so many bits a count.
INSERT INTO leaderboard_bucket (namespace, board, bucket, version, members, above)
SELECT
    %(namespace)s,
    %(board)s,
    settled.bucket,
    %(version)s,
    settled.members,
    substring(
        %(above)s::bit varying
        FROM (settled.place - 1)::integer * %(bucket_width)s * %(bits)s::integer + 1
        FOR %(bucket_width)s * %(bits)s::integer
    )
FROM unnest(
    %(buckets)s::integer[], %(members)s::integer[]
) WITH ORDINALITY AS settled (bucket, members, place);
