-- Compares each bucket's newest row at the version, with what the bucket gained since, with the
-- ledger: its members, and for each of its scores how many stand higher within it. Gains are
-- stored for a place and those up to the next one: here each place gets its own, those of scores
-- first, and behind them those of the buckets themselves. Zero rows: they agree.
-- A bucket without a row has no players. Indexes bucket_once_per_version, bucket by bucket, and
-- prefix_once_per_version.
WITH entry AS (
    SELECT
        prefix.slice,
        stored.place,
        substring(prefix.gained FROM stored.turn::integer * 16 + 1 FOR 16)::integer - 32768
            AS players,
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
),

gain AS MATERIALIZED (
    SELECT
        entry.slice,
        every.place,
        entry.players
    FROM entry
    CROSS JOIN LATERAL generate_series(entry.place, entry.next_place - 1) AS every (place)
    WHERE entry.players <> 0
)

SELECT
    'bucket ' || compared.bucket AS place,
    (array_agg(compared.aspect || compared.expected ORDER BY compared.turn))[1] AS expected,
    (array_agg(compared.aspect || compared.found ORDER BY compared.turn))[1] AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        counted.bucket,
        counted.score AS turn,
        format('above score %%s: ', counted.score) AS aspect,
        counted.above::bigint AS expected,
        counted.stored_above::bigint AS found
    FROM (
        SELECT
            newest.bucket,
            newest.score,
            newest.stored_above,
            coalesce(sum(ledger.players) OVER (
                PARTITION BY newest.bucket ORDER BY newest.score DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS above
        FROM (
            SELECT
                every.bucket,
                %(lower_score)s + every.bucket * %(bucket_width)s + every_score.place AS score,
                coalesce(
                    substring(
                        stored.above FROM every_score.place * stored.bits + 1 FOR stored.bits
                    )::integer,
                    0
                ) + coalesce(gain.players, 0) AS stored_above
            FROM generate_series(0, %(buckets)s::integer - 1) AS every (bucket)
            CROSS JOIN
                LATERAL (
                    SELECT
                        bucket_row.above,
                        CASE WHEN bucket_row.members > 65535 THEN 32 ELSE 16 END AS bits
                    FROM leaderboard_bucket AS bucket_row
                    WHERE
                        bucket_row.namespace = %(namespace)s
                        AND bucket_row.board = 0
                        AND bucket_row.bucket = every.bucket
                        AND bucket_row.version <= %(version)s
                    ORDER BY bucket_row.version DESC
                    LIMIT 1
                ) AS stored
            CROSS JOIN generate_series(0, %(bucket_width)s::integer - 1) AS every_score (place)
            LEFT JOIN gain
                ON
                    every.bucket / 32 = gain.slice
                    AND mod(every.bucket, 32) * %(bucket_width)s + every_score.place = gain.place
        ) AS newest
        LEFT JOIN proof_key AS ledger ON newest.score = ledger.score
    ) AS counted
    WHERE counted.above <> counted.stored_above
    UNION ALL
    SELECT
        every.bucket,
        -1 AS turn,
        aspect.aspect,
        aspect.expected,
        aspect.found
    FROM generate_series(0, %(buckets)s::integer - 1) AS every (bucket)
    LEFT JOIN LATERAL (
        SELECT
            bucket_row.members,
            bit_length(bucket_row.above) AS bits,
            CASE
                WHEN bucket_row.members = 0 THEN 0
                WHEN bucket_row.members > 65535 THEN 32
                ELSE 16
            END AS bits_a_score
        FROM leaderboard_bucket AS bucket_row
        WHERE
            bucket_row.namespace = %(namespace)s
            AND bucket_row.board = 0
            AND bucket_row.bucket = every.bucket
            AND bucket_row.version <= %(version)s
        ORDER BY bucket_row.version DESC
        LIMIT 1
    ) AS stored ON TRUE
    LEFT JOIN (
        SELECT
            counted.bucket,
            sum(counted.players) AS players
        FROM proof_key AS counted
        GROUP BY counted.bucket
    ) AS ledger ON every.bucket = ledger.bucket
    LEFT JOIN gain
        ON
            every.bucket / 32 = gain.slice
            AND 32 * %(bucket_width)s + mod(every.bucket, 32) = gain.place
    CROSS JOIN
        LATERAL (
            VALUES
            (
                'members: ',
                coalesce(ledger.players, 0)::bigint,
                (coalesce(stored.members, 0) + coalesce(gain.players, 0))::bigint
            ),
            (
                'bits: ',
                %(bucket_width)s::bigint * stored.bits_a_score,
                stored.bits::bigint
            )
        ) AS aspect (aspect, expected, found)
    WHERE aspect.expected <> aspect.found
) AS compared
GROUP BY compared.bucket
ORDER BY compared.bucket DESC
LIMIT %(most)s;
