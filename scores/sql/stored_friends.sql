-- Reads the friend list of a player. Zero rows: there is none. No locks.
-- Index friends_once_per_player.
SELECT
    friends.player_id,
    friends.friend_ids,
    friends.friends_version,
    friends.updated_at
FROM scores_friends AS friends
WHERE friends.player_id = %(player_id)s;
