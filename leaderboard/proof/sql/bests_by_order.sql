-- Counts the players of each bucket of an ordered board, as the bests were at the version (a
-- best not changed since, else its undo row), with a hash over who has which key. Zero rows:
-- nobody is on the board. One pass over the bests; index boundary_once_per_bucket.
SELECT
    coalesce(placed.bucket, -1) AS bucket,
    sum(placed.players)::bigint AS players,
    sum(placed.hash) AS hash
FROM (
    SELECT
        counted.players,
        counted.hash,
        counted.begun,
        min(counted.begun) OVER (ORDER BY (-counted.score), counted.tie_key) AS bucket
    FROM (
        SELECT
            shown.score,
            shown.tie_key,
            count(*) AS players,
            sum(
                hashtextextended(shown.player_id, hashint8extended(shown.tie_key, shown.score))
            ) AS hash,
            NULL::integer AS begun
        FROM (
            SELECT
                best.player_id,
                best.score,
                best.tie_key
            FROM scores_best AS best
            WHERE
                best.namespace = %(namespace)s
                AND best.score IS NOT NULL
                AND best.epoch <= %(version)s
                AND (%(board)s = 0 OR best.region = %(board)s)
            UNION ALL
            SELECT
                undo.player_id,
                undo.score,
                undo.tie_key
            FROM scores_undo AS undo
            WHERE
                undo.namespace = %(namespace)s
                AND undo.from_epoch <= %(version)s
                AND undo.to_epoch > %(version)s
                AND (%(board)s = 0 OR undo.region = %(board)s)
        ) AS shown
        GROUP BY shown.score, shown.tie_key
        UNION ALL
        SELECT
            boundary.score,
            boundary.tie_key,
            0 AS players,
            0 AS hash,
            boundary.bucket
        FROM leaderboard_boundary AS boundary
        WHERE boundary.boundary_set = %(boundary_set)s
    ) AS counted
) AS placed
WHERE placed.begun IS NULL
GROUP BY placed.bucket;
