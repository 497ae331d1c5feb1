-- Writes profiles, one a player, players ascending, and returns those that were newer than
-- what was stored; to an empty row, of version 0, every profile is.
-- A player that does not come back has a profile of an equal or newer version.
-- Each row touched stays locked until the transaction ends, those that do not come back too:
-- a writer of results that holds one FOR SHARE is waited for, and waits.
-- Unique index profile_once_per_player.
INSERT INTO scores_profile AS profile (player_id, region, profile_version, updated_at)
SELECT
    given.player_id,
    given.region,
    given.profile_version,
    clock_timestamp()
FROM
    unnest(
        %(player_ids)s::text[],
        %(regions)s::text[],
        %(profile_versions)s::bigint[]
    ) AS given (player_id, region, profile_version)
ORDER BY given.player_id
ON CONFLICT (player_id) DO UPDATE
    SET
        region = excluded.region,
        profile_version = excluded.profile_version,
        updated_at = excluded.updated_at
    WHERE excluded.profile_version > profile.profile_version
RETURNING
    profile.player_id,
    profile.region,
    profile.profile_version,
    profile.updated_at;
