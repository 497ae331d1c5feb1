-- Asks for the fold of the players who have something else than results, and of those whose
-- changes do not follow from each other.
INSERT INTO proof_asked (player_id, through)
SELECT
    player.player_id,
    %(version)s::bigint
FROM proof_player AS player
WHERE NOT (player.only_results AND player.chained AND player.receipted);
