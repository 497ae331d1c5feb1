-- Counts the players of a range of keys of a board, from the first to before the end, as it
-- was at a version. Always one row.
-- Indexes best_in_rank_order, or that of the region, and undo_in_rank_order: a range scan,
-- and one for each epoch after the version, of which seal_once_per_epoch knows.
SELECT count(*) AS players
FROM (
    SELECT
        best.score,
        best.tie_key
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND best.epoch <= %(version)s
        AND (%(board)s = 0 OR best.region = %(board)s)
        AND ((-best.score), best.tie_key) >= (-%(score)s::integer, %(tie_key)s::bigint)
        AND ((-best.score), best.tie_key) < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
    UNION ALL
    SELECT
        undone.score,
        undone.tie_key
    FROM (
        SELECT seal.epoch
        FROM seasons_seal AS seal
        WHERE seal.season_id = %(season_id)s AND seal.epoch > %(version)s
        UNION ALL
        SELECT epoch.open_epoch
        FROM seasons_epoch AS epoch
        WHERE epoch.season_id = %(season_id)s
    ) AS later (epoch)
    CROSS JOIN LATERAL (
        SELECT
            undo.score,
            undo.tie_key
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.to_epoch = later.epoch
            AND undo.from_epoch <= %(version)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
            AND ((-undo.score), undo.tie_key) >= (-%(score)s::integer, %(tie_key)s::bigint)
            AND ((-undo.score), undo.tie_key)
            < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
        ORDER BY (-undo.score), undo.tie_key
    ) AS undone
) AS shown;
