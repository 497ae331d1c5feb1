-- Locks the bests of some players until the transaction ends, players ascending like every
-- writer, and tells nothing of them: what they are is read by a later statement.
-- Unique index best_once_per_player, player by player.
SELECT best.player_id
FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
INNER JOIN scores_best AS best
    ON best.namespace = %(namespace)s AND asked.player_id = best.player_id
ORDER BY best.player_id
FOR NO KEY UPDATE OF best;
