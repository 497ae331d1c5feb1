-- Finds where a range of keys of a board may be cut into pieces of about `size` players, as it
-- was at a version: the first key of each piece, and each key with as many players itself;
-- with how many of the range stand before the key and on it, and how many there are in all.
-- Zero rows: it has no key to be cut at. Indexes best_in_rank_order, or that of the region, and
-- undo_in_rank_order, as where such a range is counted.
SELECT
    piece.score,
    piece.tie_key,
    piece.before,
    piece.players,
    piece.total
FROM (
    SELECT
        counted.*,
        lag(counted.before) OVER (ORDER BY (-counted.score), counted.tie_key) AS before_last
    FROM (
        SELECT
            shown.score,
            shown.tie_key,
            count(*) AS players,
            (sum(count(*)) OVER (ORDER BY (-shown.score), shown.tie_key) - count(*))::bigint
                AS before,
            (sum(count(*)) OVER ())::bigint AS total
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
                AND ((-best.score), best.tie_key)
                < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
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
                    AND ((-undo.score), undo.tie_key)
                    >= (-%(score)s::integer, %(tie_key)s::bigint)
                    AND ((-undo.score), undo.tie_key)
                    < (-%(end_score)s::integer, %(end_tie_key)s::bigint)
                ORDER BY (-undo.score), undo.tie_key
            ) AS undone
        ) AS shown
        GROUP BY shown.score, shown.tie_key
    ) AS counted
) AS piece
WHERE
    piece.players >= %(size)s
    OR piece.before / %(size)s > piece.before_last / %(size)s
ORDER BY (-piece.score), piece.tie_key;
