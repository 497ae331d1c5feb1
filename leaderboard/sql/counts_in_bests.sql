-- Counts the players on each score of a range, in the ordered index of the bests, as it was
-- at a version: a best not changed since, else its undo row.
-- Zero rows: nobody has such a score. Indexes best_in_rank_order and undo_in_rank_order: a
-- range scan, and one for each epoch after the version, of which seal_once_per_epoch knows.
-- The order keeps the planner from beginning with all undo of these scores.
SELECT
    shown.score,
    count(*) AS players
FROM (
    SELECT best.score
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND (-best.score) BETWEEN -%(highest)s::integer AND -%(lowest)s::integer
        AND best.epoch <= %(version)s
        AND (%(board)s = 0 OR best.region = %(board)s)
    UNION ALL
    SELECT undone.score
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
        SELECT undo.score
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.to_epoch = later.epoch
            AND undo.from_epoch <= %(version)s
            AND (-undo.score) BETWEEN -%(highest)s::integer AND -%(lowest)s::integer
            AND (%(board)s = 0 OR undo.region = %(board)s)
        ORDER BY (-undo.score)
    ) AS undone
) AS shown
GROUP BY shown.score;
