-- Adds up the counted keys of each bucket, with a hash over who has which key.
-- Zero rows: nobody is on the board.
SELECT
    counted.bucket,
    sum(counted.players)::bigint AS players,
    sum(counted.hash) AS hash
FROM proof_key AS counted
GROUP BY counted.bucket;
