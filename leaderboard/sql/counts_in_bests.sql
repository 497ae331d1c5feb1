-- Counts the players on each score of a range, in the ordered index of the bests, as it was
-- at a version: a best not changed since, else its undo row.
-- Zero rows: nobody has such a score. Indexes best_in_rank_order and undo_in_rank_order.
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
    SELECT undo.score
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch > %(version)s
        AND undo.from_epoch <= %(version)s
        AND (-undo.score) BETWEEN -%(highest)s::integer AND -%(lowest)s::integer
        AND (%(board)s = 0 OR undo.region = %(board)s)
) AS shown
GROUP BY shown.score;
