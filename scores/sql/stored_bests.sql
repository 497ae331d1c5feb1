-- Reads what is stored of some players, for receipts of events that changed nothing.
-- A player without a row has no best. Primary key, no locks.
SELECT
    best.player_id,
    coalesce(best.score, best.hidden_score) AS score,
    nullif(best.score_version, 0) AS score_version
FROM scores_best AS best
WHERE
    best.namespace = %(namespace)s
    AND best.player_id = any(%(player_ids)s::text[]);
