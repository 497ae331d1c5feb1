-- Sets one locked best to what a correction makes of it. Index best_once_per_player; the lock
-- stays until the transaction ends.
UPDATE scores_best AS best
SET
    previous_score = best.score,
    previous_hidden_score = best.hidden_score,
    previous_tie_key = best.tie_key,
    previous_region = best.region,
    previous_epoch = best.epoch,
    score = %(score)s,
    hidden_score = %(hidden_score)s,
    removed = %(removed)s,
    tie_key = %(tie_key)s,
    hidden_tie_key = %(hidden_tie_key)s,
    score_version = %(score_version)s,
    revision = %(revision)s,
    epoch = %(epoch)s,
    change_no = best.change_no + 1
WHERE best.namespace = %(namespace)s AND best.player_id = %(player_id)s;
