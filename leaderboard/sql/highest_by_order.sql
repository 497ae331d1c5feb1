-- noqa: disable=RF01
-- Part of a statement about consecutive players, the first of them in a row `highest`: its rank,
-- and how many players of the ordered board have its key: as far as the rank of the next key is.
-- No rank: a prefix is lost. Reads what rank_by_order does, twice.
SELECT
    CASE WHEN count(*) = count(ranked.rank) THEN min(ranked.rank) END AS rank,
    max(ranked.rank) - min(ranked.rank) AS tied
FROM (
    SELECT
        highest.score,
        highest.tie_key + successor.step AS tie_key
    FROM generate_series(0, 1) AS successor (step)
) AS shown
CROSS JOIN LATERAL %(rank_of_shown)s AS ranked;
