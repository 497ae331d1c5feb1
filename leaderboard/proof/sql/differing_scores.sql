-- Finds the buckets on whose scores the bests, as they were at the version, have other players
-- than the ledger: by count a score, and by hash a bucket. Zero rows: they agree.
SELECT
    'bucket ' || counted.bucket AS place,
    format(
        '%%s players, hash %%s; score %%s: %%s',
        sum(counted.expected),
        sum(counted.expected_hash),
        min(counted.score) FILTER (WHERE counted.differs),
        (array_agg(counted.expected ORDER BY counted.score) FILTER (WHERE counted.differs))[1]
    ) AS expected,
    format(
        '%%s players, hash %%s; score %%s: %%s',
        sum(counted.found),
        sum(counted.found_hash),
        min(counted.score) FILTER (WHERE counted.differs),
        (array_agg(counted.found ORDER BY counted.score) FILTER (WHERE counted.differs))[1]
    ) AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        (coalesce(ledger.score, bests.score) - %(lower_score)s) / %(bucket_width)s AS bucket,
        coalesce(ledger.score, bests.score) AS score,
        coalesce(ledger.players, 0) AS expected,
        coalesce(bests.players, 0) AS found,
        coalesce(ledger.hash, 0) AS expected_hash,
        coalesce(bests.hash, 0) AS found_hash,
        (
            ledger.hash IS DISTINCT FROM bests.hash
            OR ledger.players IS DISTINCT FROM bests.players
        ) AS differs
    FROM proof_score AS ledger
    FULL JOIN proof_found_score AS bests ON ledger.score = bests.score
) AS counted
GROUP BY counted.bucket
HAVING bool_or(counted.differs)
ORDER BY counted.bucket DESC
LIMIT %(most)s;
