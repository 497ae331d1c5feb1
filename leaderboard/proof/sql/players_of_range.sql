-- Counts, in the ordered index of the bests as they were at the version, how many players of a
-- range of keys stand before each of its keys and on it, and names one who has it.
-- Zero rows: nobody is in the range. Indexes best_in_rank_order or best_in_region_order, and
-- undo_in_rank_order.
SELECT
    min(shown.player_id) AS player_id,
    shown.score,
    (
        %(first_rank)s::bigint
        + sum(count(*)) OVER (ORDER BY (-shown.score), shown.tie_key)
        - count(*)
    )::bigint AS rank,
    count(*) AS players
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
        AND ((-best.score), best.tie_key) >= (-%(score)s::integer, %(tie_key)s::bigint)
        AND ((-best.score), best.tie_key) < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
    UNION ALL
    SELECT
        undo.player_id,
        undo.score,
        undo.tie_key
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch > %(version)s
        AND undo.from_epoch <= %(version)s
        AND (%(board)s = 0 OR undo.region = %(board)s)
        AND ((-undo.score), undo.tie_key) >= (-%(score)s::integer, %(tie_key)s::bigint)
        AND ((-undo.score), undo.tie_key) < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
) AS shown
GROUP BY shown.score, shown.tie_key
ORDER BY (-shown.score), shown.tie_key;
