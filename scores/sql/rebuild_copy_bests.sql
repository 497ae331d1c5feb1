-- Copies the bests of one namespace into the table of another, which has no indexes yet.
-- Reads all of them; writers go on, and what they change meanwhile is folded anew afterwards.
INSERT INTO scores_best_n%(namespace)s (
    namespace, player_id, score, hidden_score, removed, tie_key, hidden_tie_key, region,
    score_version, revision, epoch, change_no
)
SELECT
    %(namespace)s,
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
WHERE best.namespace = %(other_namespace)s AND best.player_id <> '';
