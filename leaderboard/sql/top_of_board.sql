-- Reads the first players of a board at a version, in display order, while it is made.
-- Zero rows: nobody is on the board. Indexes best_in_rank_order, or that of the region, and
-- undo_in_rank_order: a range scan that stops after the limit, and one for each epoch after
-- the version, of which seal_once_per_epoch knows.
SELECT
    shown.player_id,
    shown.score,
    shown.tie_key
FROM (
    (
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
        ORDER BY (-best.score), best.tie_key, best.player_id
        LIMIT %(limit)s
    )
    UNION ALL
    SELECT
        undone.player_id,
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
            undo.player_id,
            undo.score,
            undo.tie_key
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.to_epoch = later.epoch
            AND undo.from_epoch <= %(version)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
        ORDER BY (-undo.score), undo.tie_key, undo.player_id
        LIMIT %(limit)s
    ) AS undone
) AS shown
ORDER BY (-shown.score), shown.tie_key, shown.player_id
LIMIT %(limit)s;
