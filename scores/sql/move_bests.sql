-- Moves locked bests to the boards of other regions, and returns them as they are now.
-- A player that does not come back has no best, or has it on that board already.
-- `epoch` moves only if something is shown. Unique index best_once_per_player.
UPDATE scores_best AS best
SET
    previous_score = best.score,
    previous_hidden_score = best.hidden_score,
    previous_tie_key = best.tie_key,
    previous_region = best.region,
    previous_epoch = best.epoch,
    region = moved.region,
    epoch = CASE WHEN best.score IS NULL THEN best.epoch ELSE %(epoch)s END,
    change_no = best.change_no + 1
FROM unnest(%(player_ids)s::text[], %(regions)s::smallint[]) AS moved (player_id, region)
WHERE
    best.namespace = %(namespace)s
    AND best.player_id = any(%(player_ids)s::text[])
    AND best.player_id = moved.player_id
    AND best.region IS DISTINCT FROM moved.region
RETURNING
    best.player_id,
    best.score,
    best.tie_key,
    best.region,
    best.score_version,
    best.change_no,
    best.previous_region,
    best.previous_epoch;
