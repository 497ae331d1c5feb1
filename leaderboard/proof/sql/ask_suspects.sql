-- Asks for the fold of all players whose best is not, in every member, what the ledger folds
-- to at the version: those who differ, and those who have changed since.
-- One pass over bests and fold.
INSERT INTO proof_asked (player_id, through)
SELECT
    coalesce(best.player_id, player.player_id) AS player_id,
    %(until)s AS through
FROM (
    SELECT stored.*
    FROM scores_best AS stored
    WHERE stored.namespace = %(namespace)s AND stored.player_id <> ''
) AS best
FULL JOIN proof_player AS player ON best.player_id = player.player_id
WHERE
    best.score IS DISTINCT FROM player.score
    OR best.hidden_score IS DISTINCT FROM player.hidden_score
    OR best.removed IS DISTINCT FROM player.removed
    OR best.score_version IS DISTINCT FROM player.score_version
    OR best.revision IS DISTINCT FROM player.revision
    OR best.epoch IS DISTINCT FROM player.epoch
    OR best.change_no IS DISTINCT FROM player.change_no
    OR best.tie_key IS DISTINCT FROM player.tie_key
    OR best.hidden_tie_key IS DISTINCT FROM player.hidden_tie_key
    OR best.region IS DISTINCT FROM player.region;
