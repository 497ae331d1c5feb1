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
                %(score)s::integer AS score,
                %(tie_key)s::bigint AS tie_key,
                %(end_score)s::integer AS end_score,
                %(end_tie_key)s::bigint AS end_tie_key
        ) AS asked
        CROSS JOIN LATERAL %(keys_in_range)s AS shown
        GROUP BY shown.score, shown.tie_key
    ) AS counted
) AS piece
WHERE
    piece.players >= %(size)s
    OR piece.before / %(size)s > piece.before_last / %(size)s
ORDER BY (-piece.score), piece.tie_key;
