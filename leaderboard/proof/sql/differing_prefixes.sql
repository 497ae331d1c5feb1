-- Compares the prefixes of a board at the version with the counted keys, and the ages beside
-- them with the versions of the buckets' newest rows; ordered boards have no such rows, and no
-- ages, and more buckets in a slice. Zero rows: they agree.
-- Indexes prefix_once_per_version and bucket_once_per_version.
SELECT
    'bucket ' || compared.bucket AS place,
    string_agg(compared.aspect || coalesce(compared.expected::text, 'none'), ', ') AS expected,
    string_agg(compared.aspect || coalesce(compared.found::text, 'none'), ', ') AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        every.bucket,
        aspect.aspect,
        aspect.expected,
        aspect.found
    FROM (
        SELECT
            each_bucket.bucket,
            coalesce(sum(ledger.players) OVER (
                ORDER BY each_bucket.bucket DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0)::bigint AS above
        FROM generate_series(0, %(buckets)s::integer - 1) AS each_bucket (bucket)
        LEFT JOIN (
            SELECT
                counted.bucket,
                sum(counted.players) AS players
            FROM proof_key AS counted
            GROUP BY counted.bucket
        ) AS ledger ON each_bucket.bucket = ledger.bucket
    ) AS every
    LEFT JOIN leaderboard_prefix AS prefix
        ON
            prefix.namespace = %(namespace)s
            AND prefix.version = %(version)s
            AND prefix.board = %(board)s
            AND every.bucket / %(buckets_a_slice)s::integer = prefix.slice
    LEFT JOIN LATERAL (
        SELECT bucket_row.version
        FROM leaderboard_bucket AS bucket_row
        WHERE
            %(has_rows)s
            AND bucket_row.namespace = %(namespace)s
            AND bucket_row.board = 0
            AND bucket_row.bucket = every.bucket
            AND bucket_row.version <= %(version)s
        ORDER BY bucket_row.version DESC
        LIMIT 1
    ) AS newest ON TRUE
    CROSS JOIN
        LATERAL (
            SELECT mod(every.bucket, %(buckets_a_slice)s::integer) * 32 + 1 AS first_bit
        ) AS part
    CROSS JOIN LATERAL (
        VALUES
        (
            'above: ',
            every.above,
            substring(prefix.above FROM part.first_bit FOR 32)::integer::bigint
        ),
        (
            'age: ',
            CASE WHEN %(has_rows)s THEN %(version)s::bigint - coalesce(newest.version, 0) END,
            substring(prefix.age FROM part.first_bit FOR 32)::integer::bigint
        )
    ) AS aspect (aspect, expected, found)
) AS compared
WHERE compared.expected IS DISTINCT FROM compared.found
GROUP BY compared.bucket
ORDER BY compared.bucket DESC
LIMIT %(most)s;
