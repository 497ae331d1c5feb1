-- Finds the prefixes of an ordered board at the version that do not lead from all of its members
-- down to nobody above the highest bucket. Zero rows: they do.
-- Indexes boundary_once_per_bucket and prefix_once_per_version.
SELECT
    'bucket ' || compared.bucket AS place,
    CASE
        WHEN compared.is_highest THEN 'above: 0'
        ELSE format('above: 0 to %%s', compared.most)
    END AS expected,
    coalesce('above: ' || compared.above, 'none') AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        stored.bucket,
        stored.above,
        lag(stored.above, 1, %(members)s::bigint) OVER upwards AS most,
        lead(stored.bucket) OVER upwards IS NULL AS is_highest
    FROM (
        SELECT
            boundary.bucket,
            substring(
                prefix.above FROM mod(boundary.bucket, 64) * 32 + 1 FOR 32
            )::integer::bigint AS above
        FROM leaderboard_boundary AS boundary
        LEFT JOIN leaderboard_prefix AS prefix
            ON
                prefix.namespace = %(namespace)s
                AND prefix.version = %(version)s
                AND prefix.board = %(board)s
                AND boundary.bucket / 64 = prefix.slice
        WHERE boundary.boundary_set = %(boundary_set)s
    ) AS stored
    WINDOW upwards AS (ORDER BY stored.bucket)
) AS compared
WHERE
    compared.above IS NULL
    OR compared.above < 0
    OR compared.above > compared.most
    OR (compared.is_highest AND compared.above > 0)
ORDER BY compared.bucket DESC
LIMIT %(most)s;
