-- Asks for some players: any, by bests and by ledger, and the first and last of the board.
-- Index best_in_rank_order; blocks of both tables by chance.
INSERT INTO proof_asked (player_id, through)
SELECT
    chosen.player_id,
    %(version)s::bigint
FROM (
    (
        SELECT best.player_id
        FROM scores_best AS best TABLESAMPLE SYSTEM (%(percent_of_bests)s)
        WHERE best.namespace = %(namespace)s
        ORDER BY random()
        LIMIT 150
    )
    UNION
    (
        SELECT ledger.player_id
        FROM scores_ledger AS ledger TABLESAMPLE SYSTEM (%(percent_of_ledger)s)
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.change_no IS NOT NULL
            AND ledger.epoch <= %(version)s
        ORDER BY random()
        LIMIT 150
    )
    UNION
    (
        SELECT best.player_id
        FROM scores_best AS best
        WHERE best.namespace = %(namespace)s AND best.score IS NOT NULL
        ORDER BY (-best.score), best.tie_key, best.player_id
        LIMIT 30
    )
    UNION
    (
        SELECT best.player_id
        FROM scores_best AS best
        WHERE best.namespace = %(namespace)s AND best.score IS NOT NULL
        ORDER BY (-best.score) DESC, best.tie_key DESC, best.player_id DESC
        LIMIT 30
    )
) AS chosen
WHERE chosen.player_id <> '';
