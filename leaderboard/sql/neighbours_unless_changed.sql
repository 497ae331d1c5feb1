-- Finds a player's neighbours at a version while all whom they could be are as they were then:
-- up to `radius` bests each way, nearest first, with the rank of the highest and how many are
-- tied with it.
-- Zero rows: the version is not here, or the player is not on the board or has changed since, or
-- somebody has who stood there at the version, whose undo lies between the farthest two. No rank:
-- what it is counted from is lost. What is true then is answered by neighbours, which costs twice
-- as much.
-- Look-up by best_once_per_player; a range scan of best_in_rank_order, or that of the region, each
-- way; for every epoch after the version (seal_once_per_epoch, seasons_epoch_pkey) a look at
-- undo_in_rank_order between the farthest; then what the highest's rank is counted from, without
-- which the version is not here: prefix_once_per_version, bucket_once_per_version.
SELECT
    own.score,
    own.tie_key,
    above.player_ids AS ids_above,
    above.scores AS scores_above,
    above.tie_keys AS tie_keys_above,
    below.player_ids AS ids_below,
    below.scores AS scores_below,
    below.tie_keys AS tie_keys_below,
    placed.rank,
    placed.tied
FROM scores_best AS own
CROSS JOIN
    LATERAL (
        SELECT
            array_agg(near.player_id) AS player_ids,
            array_agg(near.score) AS scores,
            array_agg(near.tie_key) AS tie_keys
        FROM (
            SELECT
                best.player_id,
                best.score,
                best.tie_key
            FROM scores_best AS best
            WHERE
                best.namespace = %(namespace)s
                AND best.score IS NOT NULL
                AND best.epoch <= %(version)s
                AND (%(board)s = 0 OR best.region = %(board)s)
                AND ((-best.score), best.tie_key, best.player_id)
                < (-own.score, own.tie_key, own.player_id)
            ORDER BY (-best.score) DESC, best.tie_key DESC, best.player_id DESC
            LIMIT %(radius)s
        ) AS near
    ) AS above
CROSS JOIN
    LATERAL (
        SELECT
            array_agg(near.player_id) AS player_ids,
            array_agg(near.score) AS scores,
            array_agg(near.tie_key) AS tie_keys
        FROM (
            SELECT
                best.player_id,
                best.score,
                best.tie_key
            FROM scores_best AS best
            WHERE
                best.namespace = %(namespace)s
                AND best.score IS NOT NULL
                AND best.epoch <= %(version)s
                AND (%(board)s = 0 OR best.region = %(board)s)
                AND ((-best.score), best.tie_key, best.player_id)
                > (-own.score, own.tie_key, own.player_id)
            ORDER BY (-best.score), best.tie_key, best.player_id
            LIMIT %(radius)s
        ) AS near
    ) AS below
CROSS JOIN
    LATERAL (
        SELECT
            coalesce(above.scores[cardinality(above.scores)], own.score) AS score,
            coalesce(above.tie_keys[cardinality(above.scores)], own.tie_key) AS tie_key
    ) AS highest
CROSS JOIN LATERAL %(rank_of_highest)s AS placed
WHERE
    own.namespace = %(namespace)s
    AND own.player_id = %(player_id)s
    AND own.epoch <= %(version)s
    AND (%(board)s = 0 OR own.region = %(board)s)
    AND NOT EXISTS (
        SELECT FROM (
            SELECT seal.epoch
            FROM seasons_seal AS seal
            WHERE seal.season_id = %(season_id)s AND seal.epoch > %(version)s
            UNION ALL
            SELECT opened.open_epoch
            FROM seasons_epoch AS opened
            WHERE opened.season_id = %(season_id)s
        ) AS later
        CROSS JOIN LATERAL (
            SELECT undo.player_id
            FROM scores_undo AS undo
            WHERE
                undo.namespace = %(namespace)s
                AND undo.to_epoch = later.epoch
                AND undo.from_epoch <= %(version)s
                AND (%(board)s = 0 OR undo.region = %(board)s)
                AND ((-undo.score), undo.tie_key, undo.player_id)
                >= (
                    coalesce(-above.scores[%(radius)s::integer], -2147483648),
                    coalesce(above.tie_keys[%(radius)s::integer], 0),
                    coalesce(above.player_ids[%(radius)s::integer], '')
                )
                AND ((-undo.score), undo.tie_key, undo.player_id)
                <= (
                    coalesce(-below.scores[%(radius)s::integer], 2147483647),
                    coalesce(below.tie_keys[%(radius)s::integer], 0),
                    coalesce(below.player_ids[%(radius)s::integer], '')
                )
            ORDER BY (-undo.score), undo.tie_key, undo.player_id
            LIMIT 1
        ) AS undone
    );
