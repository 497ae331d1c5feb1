-- Counts the players on each key of an ordered board, as the ledger has them, with the bucket of
-- the boundaries that it lies in, how many stand above it, and a hash over who they are. A key
-- above all boundaries gets a bucket of its own. Index boundary_once_per_bucket.
INSERT INTO proof_key (score, tie_key, bucket, players, above, hash)
SELECT
    placed.score,
    placed.tie_key,
    coalesce(placed.bucket, -1) AS bucket,
    placed.players,
    placed.above,
    placed.hash
FROM (
    SELECT
        counted.score,
        counted.tie_key,
        counted.players,
        counted.hash,
        counted.begun,
        min(counted.begun) OVER in_order AS bucket,
        sum(counted.players) OVER in_order - counted.players AS above
    FROM (
        SELECT
            player.score,
            player.tie_key,
            count(*) AS players,
            sum(
                hashtextextended(
                    player.player_id, hashint8extended(player.tie_key, player.score)
                )
            ) AS hash,
            NULL::integer AS begun
        FROM proof_player AS player
        WHERE player.score IS NOT NULL AND (%(board)s = 0 OR player.region = %(board)s)
        GROUP BY player.score, player.tie_key
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
    WINDOW in_order AS (ORDER BY (-counted.score), counted.tie_key)
) AS placed
WHERE placed.begun IS NULL;
