-- Asks for the fold of the players who have something else than results.
INSERT INTO proof_asked (player_id, through)
SELECT
    player.player_id,
    %(version)s::bigint
FROM proof_player AS player
WHERE NOT player.only_results;
