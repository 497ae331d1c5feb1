-- Makes sure that a player has a row, so that there is something to lock.
-- An empty row shows nothing and has version 0. Unique index best_once_per_player.
INSERT INTO scores_best (namespace, player_id, region, score_version, epoch, change_no)
VALUES (%(namespace)s, %(player_id)s, %(region)s, 0, %(epoch)s, 0)
ON CONFLICT (namespace, player_id) DO NOTHING;
