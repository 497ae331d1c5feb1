-- Sums up each bucket of an ordered board at a version, from bests and undo: players, scores,
-- and a hash over who has which key. Reads all of both. A row a bucket that has players.
SELECT
    placed.bucket,
    sum(placed.players)::bigint AS players,
    sum(placed.score_sum) AS score_sum,
    bit_xor(placed.hash) AS hash
FROM (
    SELECT
        counted.players,
        counted.score_sum,
        counted.hash,
        counted.begun,
        min(counted.begun) OVER (ORDER BY (-counted.score), counted.tie_key) AS bucket
    FROM (
        SELECT
            shown.score,
            shown.tie_key,
            count(*) AS players,
            sum(shown.score) AS score_sum,
            bit_xor(
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
            0 AS score_sum,
            0 AS hash,
            boundary.bucket
        FROM leaderboard_boundary AS boundary
        WHERE boundary.boundary_set = %(boundary_set)s
    ) AS counted
) AS placed
WHERE placed.begun IS NULL
GROUP BY placed.bucket
ORDER BY placed.bucket;
