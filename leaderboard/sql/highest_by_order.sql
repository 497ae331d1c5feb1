-- Part of a statement about consecutive players: the rank of the highest row in `shown`, and
-- how many players of the ordered board have its key: as far as the rank of the next key is.
-- Zero rows: nobody is shown. Reads what rank_by_order does, twice.
SELECT
    min(ranked.rank) AS rank,
    max(ranked.rank) - min(ranked.rank) AS tied
FROM (
    SELECT
        first.score,
        first.tie_key + successor.step AS tie_key
    FROM (
        SELECT
            shown.score,
            shown.tie_key
        FROM shown
        ORDER BY (-shown.score), shown.tie_key
        LIMIT 1
    ) AS first
    CROSS JOIN generate_series(0, 1) AS successor (step)
) AS shown
CROSS JOIN LATERAL %(rank_of_shown)s AS ranked;
