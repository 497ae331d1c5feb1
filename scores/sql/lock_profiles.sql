-- Locks, until the transaction ends, the profiles of those of some players who have no best in a
-- season, and reads the region of each: a change of region waits for the first result to be
-- committed, and then finds it, or comes before and is found by it. Players ascending.
-- Zero rows: everybody has a best, which has its region. Unique indexes best_once_per_player and
-- profile_once_per_player, player by player.
SELECT
    profile.player_id,
    profile.region
FROM (
    SELECT sought.player_id
    FROM unnest(%(player_ids)s::text[]) AS sought (player_id)
    WHERE
        NOT EXISTS (
            SELECT FROM scores_best AS best
            WHERE best.namespace = %(namespace)s AND best.player_id = sought.player_id
        )
) AS asked
INNER JOIN scores_profile AS profile ON asked.player_id = profile.player_id
ORDER BY profile.player_id
FOR SHARE OF profile;
