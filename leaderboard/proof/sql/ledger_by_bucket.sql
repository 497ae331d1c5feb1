-- Adds up the counted scores of each bucket, with a hash over who has which score.
-- Zero rows: nobody is on the board.
SELECT
    (counted.score - %(lower_score)s) / %(bucket_width)s AS bucket,
    sum(counted.players)::bigint AS players,
    sum(counted.hash) AS hash
FROM proof_score AS counted
GROUP BY (counted.score - %(lower_score)s) / %(bucket_width)s;
