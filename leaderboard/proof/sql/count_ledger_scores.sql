-- Counts the players on each score of the counted board, as the ledger has them, with how many
-- stand above it and a hash over who they are.
INSERT INTO proof_key (score, tie_key, bucket, players, above, hash)
SELECT
    counted.score,
    0 AS tie_key,
    (counted.score - %(lower_score)s) / %(bucket_width)s AS bucket,
    counted.players,
    sum(counted.players) OVER (ORDER BY counted.score DESC) - counted.players AS above,
    counted.hash
FROM (
    SELECT
        player.score,
        count(*) AS players,
        sum(hashtextextended(player.player_id, hashint8extended(0, player.score))) AS hash
    FROM proof_player AS player
    WHERE player.score IS NOT NULL
    GROUP BY player.score
) AS counted;
