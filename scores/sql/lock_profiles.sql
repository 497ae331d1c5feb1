-- Locks, until the transaction ends, the profiles of those of some players who have no best in a
-- season, and reads the region of each: a change of region waits for the first result to be
-- committed, and then finds it, or comes before and is found by it. Players ascending.
-- Zero rows: everybody has a best, which has its region. Unique indexes best_once_per_player and
-- profile_once_per_player, player by player.
SELECT
    locked.player_id,
    locked.region
FROM (
    SELECT sought.player_id
    FROM unnest(%(player_ids)s::text[]) AS sought (player_id)
    LEFT JOIN LATERAL (
        SELECT best.player_id
        FROM scores_best AS best
        WHERE best.namespace = %(namespace)s AND best.player_id = sought.player_id
        LIMIT 1
    ) AS own ON TRUE
    WHERE own.player_id IS NULL
    ORDER BY sought.player_id
) AS newcomer
CROSS JOIN LATERAL (
    SELECT
        profile.player_id,
        profile.region
    FROM scores_profile AS profile
    WHERE profile.player_id = newcomer.player_id
    LIMIT 1
    FOR SHARE
) AS locked;
