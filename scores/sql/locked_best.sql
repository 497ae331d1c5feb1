-- Locks one player's best until the transaction ends and reads what it is.
-- Whatever must be known of the player's ledger is read by a later statement.
-- Always one row after ensure_best. Index best_once_per_player.
SELECT
    best.player_id,
    best.score,
    best.hidden_score,
    best.removed,
    best.tie_key,
    best.hidden_tie_key,
    best.region,
    best.score_version,
    best.revision,
    best.epoch,
    best.change_no
FROM scores_best AS best
WHERE best.namespace = %(namespace)s AND best.player_id = %(player_id)s
FOR NO KEY UPDATE;
