-- Part of a statement about a score: how many players of an ordered board are above it, and on
-- it: those with its keys from the first tie key to before the last. No counts: a prefix is lost.
-- Reads what rank_by_order does, twice.
SELECT
    CASE WHEN count(*) = count(ranked.rank) THEN min(ranked.rank) - 1 END AS above,
    max(ranked.rank) - min(ranked.rank) AS tied
FROM (
    SELECT
        %(score)s::integer AS score,
        key.tie_key
    FROM unnest(%(tie_keys)s::bigint[]) AS key (tie_key)
) AS shown
CROSS JOIN LATERAL %(rank_of_shown)s AS ranked;
