-- Counts the players of a range of keys of a board, from the first to before the end, as it
-- was at a version. Always one row.
-- Indexes best_in_rank_order, or that of the region, and undo_in_rank_order: a range scan,
-- and one for each epoch after the version, of which seal_once_per_epoch knows.
SELECT count(shown.score) AS players
FROM (
    SELECT
        %(score)s::integer AS score,
        %(tie_key)s::bigint AS tie_key,
        %(end_score)s::integer AS end_score,
        %(end_tie_key)s::bigint AS end_tie_key
) AS asked
CROSS JOIN LATERAL %(keys_in_range)s AS shown;
