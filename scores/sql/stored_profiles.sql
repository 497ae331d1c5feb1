-- Reads the profiles of some players. A player without one, or with an empty row that was made
-- to have something to lock, does not come back. No locks.
-- Index profile_once_per_player, player by player: of a table it knows little of, the planner
-- would rather read all.
SELECT
    stored.player_id,
    stored.region,
    stored.profile_version,
    stored.updated_at
FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
CROSS JOIN LATERAL (
    SELECT
        profile.player_id,
        profile.region,
        profile.profile_version,
        profile.updated_at
    FROM scores_profile AS profile
    WHERE
        profile.player_id = asked.player_id
        AND profile.profile_version > 0
    LIMIT 1
) AS stored;
