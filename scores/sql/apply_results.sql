-- Folds one result a player into the bests, players ascending.
-- A player that does not come back had an equal or newer version: the result is stale.
-- Each row touched stays locked until the transaction ends, the stale ones too.
-- A higher score replaces the one stored, shown or hidden; where the latest counts, any other.
-- `epoch` moves only if what is shown changes; the old values come from the locked row.
-- Without regions or tie keys there is none, and they are 0.
-- The region is stamped on a player's first result only. Unique index best_once_per_player.
INSERT INTO scores_best AS best (
    namespace, player_id, score, tie_key, region, score_version, epoch, change_no
)
SELECT
    %(namespace)s,
    result.player_id,
    result.score,
    coalesce(result.tie_key, 0),
    result.region,
    result.score_version,
    %(epoch)s,
    1
FROM
    unnest(
        %(player_ids)s::text[],
        %(scores)s::integer[],
        %(tie_keys)s::bigint[],
        %(regions)s::smallint[],
        %(score_versions)s::bigint[]
    ) AS result (player_id, score, tie_key, region, score_version)
ORDER BY result.player_id
ON CONFLICT (namespace, player_id) DO UPDATE
    SET
        previous_score = best.score,
        previous_hidden_score = best.hidden_score,
        previous_tie_key = best.tie_key,
        previous_region = best.region,
        previous_epoch = best.epoch,
        score = CASE
            WHEN best.removed THEN NULL
            WHEN %(latest_counts)s THEN excluded.score
            ELSE greatest(best.score, excluded.score)
        END,
        hidden_score = CASE
            WHEN best.removed AND %(latest_counts)s THEN excluded.score
            WHEN best.removed THEN greatest(best.hidden_score, excluded.score)
        END,
        tie_key = CASE
            WHEN best.removed OR excluded.score = best.score THEN best.tie_key
            WHEN excluded.score < best.score AND NOT %(latest_counts)s THEN best.tie_key
            ELSE excluded.tie_key
        END,
        hidden_tie_key = CASE
            WHEN NOT best.removed THEN NULL
            WHEN excluded.score = best.hidden_score THEN best.hidden_tie_key
            WHEN excluded.score < best.hidden_score AND NOT %(latest_counts)s
                THEN best.hidden_tie_key
            ELSE excluded.tie_key
        END,
        score_version = excluded.score_version,
        revision = 0,
        epoch = CASE
            WHEN best.removed OR excluded.score = best.score THEN best.epoch
            WHEN excluded.score < best.score AND NOT %(latest_counts)s THEN best.epoch
            ELSE excluded.epoch
        END,
        change_no = best.change_no + 1
    WHERE (excluded.score_version, 0) > (best.score_version, best.revision)
RETURNING
    best.player_id,
    best.score,
    best.hidden_score,
    best.removed,
    best.tie_key,
    best.region,
    best.change_no,
    best.previous_score,
    best.previous_hidden_score,
    best.previous_tie_key,
    best.previous_region,
    best.previous_epoch;
