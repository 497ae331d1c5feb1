-- Makes sure that those of some players who have no best in a season have a profile's row, so
-- that there is something to lock; an empty one names no region. Players ascending, so that
-- two writers do not wait for each other in a circle.
-- Zero rows touched: everybody has one. Unique indexes best_once_per_player and
-- profile_once_per_player, player by player.
INSERT INTO scores_profile (player_id)
SELECT asked.player_id
FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
LEFT JOIN LATERAL (
    SELECT best.player_id
    FROM scores_best AS best
    WHERE best.namespace = %(namespace)s AND best.player_id = asked.player_id
    LIMIT 1
) AS own ON TRUE
LEFT JOIN LATERAL (
    SELECT profile.player_id
    FROM scores_profile AS profile
    WHERE profile.player_id = asked.player_id
    LIMIT 1
) AS known ON TRUE
WHERE own.player_id IS NULL AND known.player_id IS NULL
ORDER BY asked.player_id
ON CONFLICT (player_id) DO NOTHING;
