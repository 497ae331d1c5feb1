-- Locks the bests of some players until the transaction ends, players ascending like every
-- writer, and tells nothing of them: what they are is read by a later statement.
-- Index best_once_per_player, player by player: of a table it knows little of, the planner
-- would rather read all.
SELECT locked.player_id
FROM (
    SELECT sought.player_id
    FROM unnest(%(player_ids)s::text[]) AS sought (player_id)
    ORDER BY sought.player_id
) AS asked
CROSS JOIN LATERAL (
    SELECT best.player_id
    FROM scores_best AS best
    WHERE best.namespace = %(namespace)s AND best.player_id = asked.player_id
    LIMIT 1
    FOR NO KEY UPDATE
) AS locked;
