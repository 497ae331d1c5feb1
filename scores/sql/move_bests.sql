-- Moves bests to the boards of other regions, players ascending like every writer, and returns
-- them as they are now. Each row touched stays locked until the transaction ends.
-- A player that does not come back has no best, or has it on that board already.
-- No row is inserted: only bests that are there are given, and the profiles of their players are
-- locked, so none is made meanwhile. `epoch` moves only if something is shown.
-- Index best_once_per_player, player by player: of a table it knows little of, the planner
-- would rather read all.
INSERT INTO scores_best AS best (
    namespace, player_id, region, score_version, epoch, change_no
)
SELECT
    %(namespace)s,
    present.player_id,
    moved.region,
    present.score_version,
    %(epoch)s,
    present.change_no
FROM unnest(%(player_ids)s::text[], %(regions)s::smallint[]) AS moved (player_id, region)
INNER JOIN LATERAL (
    SELECT
        stored.player_id,
        stored.score_version,
        stored.change_no
    FROM scores_best AS stored
    WHERE stored.namespace = %(namespace)s AND stored.player_id = moved.player_id
    LIMIT 1
) AS present ON TRUE
ORDER BY present.player_id
ON CONFLICT (namespace, player_id) DO UPDATE
    SET
        previous_score = best.score,
        previous_hidden_score = best.hidden_score,
        previous_tie_key = best.tie_key,
        previous_region = best.region,
        previous_epoch = best.epoch,
        region = excluded.region,
        epoch = CASE WHEN best.score IS NULL THEN best.epoch ELSE excluded.epoch END,
        change_no = best.change_no + 1
    WHERE best.region IS DISTINCT FROM excluded.region
RETURNING
    best.player_id,
    best.score,
    best.tie_key,
    best.region,
    best.score_version,
    best.change_no,
    best.previous_region,
    best.previous_epoch;
