-- Counts the players on each score, as the ledger has them, with a hash over who they are.
INSERT INTO proof_score (score, players, hash)
SELECT
    player.score,
    count(*) AS players,
    sum(hashtextextended(player.player_id, player.score)) AS hash
FROM proof_player AS player
WHERE player.score IS NOT NULL
GROUP BY player.score;
