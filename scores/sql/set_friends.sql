-- Writes the friend list of a player, and returns it if it is newer than what was stored.
-- Zero rows: the player has one of an equal or newer version. The row stays locked until the
-- transaction ends, also then. Unique index friends_once_per_player.
INSERT INTO scores_friends AS friends (player_id, friend_ids, friends_version, updated_at)
VALUES (
    %(player_id)s, %(friend_ids)s::text[], %(friends_version)s, clock_timestamp()
)
ON CONFLICT (player_id) DO UPDATE
    SET
        friend_ids = excluded.friend_ids,
        friends_version = excluded.friends_version,
        updated_at = excluded.updated_at
    WHERE excluded.friends_version > friends.friends_version
RETURNING
    friends.player_id,
    friends.friend_ids,
    friends.friends_version,
    friends.updated_at;
