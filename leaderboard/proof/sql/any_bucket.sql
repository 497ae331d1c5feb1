-- Chooses any bucket of the counted board with players, but not too many to be counted in passing.
-- Zero rows: there is none.
SELECT
    counted.score AS lowest,
    1 + counted.above AS first_rank
FROM proof_key AS counted
WHERE counted.players <= 20000
ORDER BY random()
LIMIT 1;
