-- Counts, in the ordered index of the bests as they were at the version, how many players of a
-- counted board's bucket stand higher than each of its scores, and names one who has it.
-- Zero rows: nobody is in the bucket. Indexes best_in_rank_order and undo_in_rank_order.
SELECT
    min(shown.player_id) AS player_id,
    shown.score,
    (
        %(first_rank)s::bigint + sum(count(*)) OVER (ORDER BY shown.score DESC) - count(*)
    )::bigint AS rank
FROM (
    SELECT
        best.player_id,
        best.score
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND (-best.score) > -(%(lowest)s::integer + %(bucket_width)s)
        AND (-best.score) <= -%(lowest)s::integer
        AND best.epoch <= %(version)s
    UNION ALL
    SELECT
        undo.player_id,
        undo.score
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch > %(version)s
        AND undo.from_epoch <= %(version)s
        AND (-undo.score) > -(%(lowest)s::integer + %(bucket_width)s)
        AND (-undo.score) <= -%(lowest)s::integer
) AS shown
GROUP BY shown.score;
