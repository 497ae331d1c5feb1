-- Chooses any bucket with players, but not too many to be counted in passing.
-- Zero rows: there is none.
SELECT
    counted.score AS lowest,
    1 + (
        SELECT coalesce(sum(higher.players), 0)::bigint
        FROM proof_score AS higher
        WHERE higher.score > counted.score
    ) AS first_rank
FROM proof_score AS counted
WHERE counted.players <= 20000
ORDER BY random()
LIMIT 1;
