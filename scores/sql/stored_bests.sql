-- Reads what is stored of some players, for receipts of events that changed nothing.
-- A player without a row has no best. No locks.
-- Index best_once_per_player, player by player: of a table it knows little of, the planner
-- would rather read all.
SELECT
    stored.player_id,
    stored.score,
    stored.score_version
FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
CROSS JOIN LATERAL (
    SELECT
        best.player_id,
        coalesce(best.score, best.hidden_score) AS score,
        nullif(best.score_version, 0) AS score_version
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.player_id = asked.player_id
    LIMIT 1
) AS stored;
