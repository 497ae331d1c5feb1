-- Deletes the undo of listed players, which is then made anew, player by player.
DELETE FROM scores_undo AS undo
USING scores_rebuild_changed AS changed
WHERE
    undo.namespace = %(namespace)s
    AND undo.player_id = changed.player_id;
