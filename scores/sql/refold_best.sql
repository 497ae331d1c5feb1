-- Sets one best, which a result was just folded into as if it were the newest, to what it is
-- with what was decided of later ones. What it was before the result stays in `previous_...`.
-- Index best_once_per_player; the lock stays until the transaction ends.
UPDATE scores_best AS best
SET
    score = %(score)s,
    hidden_score = %(hidden_score)s,
    tie_key = %(tie_key)s,
    hidden_tie_key = %(hidden_tie_key)s,
    epoch = %(epoch)s
WHERE best.namespace = %(namespace)s AND best.player_id = %(player_id)s;
