-- Finds the ranks of a player and of the player's friends at one version, each by index
-- look-ups as in lookup; the list of friends is the one that is stored now.
-- Zero rows: the version is not here. A row for each of them: in display order, and after them
-- those who are not on the board then, without a score. No friends_version: there is no list.
-- Indexes version_once_per_namespace, friends_once_per_player, best_once_per_player,
-- undo_once_per_epoch, prefix_once_per_version, bucket_once_per_version. No locks.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    %(board_present)s AS boards_present,
    friends.friends_version,
    asked.player_id,
    shown.score,
    shown.tie_key,
    ranked.rank
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        stored.friends_version,
        stored.friend_ids
    FROM scores_friends AS stored
    WHERE stored.player_id = %(player_id)s
    LIMIT 1
) AS friends ON TRUE
CROSS JOIN
    LATERAL unnest(
        array_append(coalesce(friends.friend_ids, '{}'), %(player_id)s)
    ) AS asked (player_id)
LEFT JOIN LATERAL (
    SELECT
        CASE WHEN best.epoch <= version.number THEN best.score ELSE undone.score END AS score,
        CASE WHEN best.epoch <= version.number THEN best.tie_key ELSE undone.tie_key END
            AS tie_key,
        CASE WHEN best.epoch <= version.number THEN best.region ELSE undone.region END AS region
    FROM scores_best AS best
    LEFT JOIN LATERAL (
        SELECT
            undo.score,
            undo.tie_key,
            undo.region
        FROM scores_undo AS undo
        WHERE
            best.epoch > version.number
            AND undo.namespace = %(namespace)s
            AND undo.player_id = best.player_id
            AND undo.to_epoch > version.number
            AND undo.from_epoch <= version.number
        LIMIT 1
    ) AS undone ON TRUE
    WHERE
        best.namespace = %(namespace)s
        AND best.player_id = asked.player_id
    LIMIT 1
) AS shown ON %(board)s = 0 OR shown.region = %(board)s
LEFT JOIN LATERAL %(rank_of_shown)s AS ranked ON shown.score IS NOT NULL
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
ORDER BY (-shown.score), shown.tie_key, asked.player_id;
