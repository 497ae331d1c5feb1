-- Takes the counts of the buckets' own rows at the version, with what each bucket gained since,
-- each as if all of its players had its lowest score. Indexes bucket_once_per_version, bucket by
-- bucket, and prefix_once_per_version.
INSERT INTO proof_key (score, tie_key, bucket, players, above, hash)
SELECT
    %(lower_score)s + counted.bucket * %(bucket_width)s AS score,
    0 AS tie_key,
    counted.bucket,
    counted.players,
    sum(counted.players) OVER (ORDER BY counted.bucket DESC) - counted.players AS above,
    0 AS hash
FROM (
    SELECT
        every.bucket,
        newest.members + coalesce(gains.players, 0) AS players
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
    LEFT JOIN (
        SELECT
            entry.slice * 32 + covered.place - 32 * %(bucket_width)s AS bucket,
            entry.players
        FROM (
            SELECT
                prefix.slice,
                stored.place,
                substring(prefix.gained FROM stored.turn::integer * 16 + 1 FOR 16)::integer
                - 32768 AS players,
                coalesce(
                    lead(stored.place) OVER (PARTITION BY prefix.slice ORDER BY stored.turn),
                    32 * (%(bucket_width)s + 1)
                ) AS next_place
            FROM leaderboard_prefix AS prefix
            CROSS JOIN unnest(prefix.places) WITH ORDINALITY AS stored (place, turn)
            WHERE
                prefix.namespace = %(namespace)s
                AND prefix.version = %(version)s
                AND prefix.board = 0
                AND stored.place >= 32 * %(bucket_width)s
        ) AS entry
        CROSS JOIN LATERAL generate_series(entry.place, entry.next_place - 1) AS covered (place)
    ) AS gains ON every.bucket = gains.bucket
) AS counted
WHERE counted.players > 0;
