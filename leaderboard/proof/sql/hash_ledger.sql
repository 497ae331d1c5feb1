-- Counts the rows of each epoch of the ledger, adds up the hashes that they were written with,
-- and counts those whose content has another hash now. One pass over all of it.
INSERT INTO proof_epoch (epoch, events, hash, altered)
SELECT
    hashed.epoch,
    count(*) AS events,
    sum(hashed.row_hash) AS hash,
    count(*) FILTER (WHERE hashed.row_hash <> hashed.hash) AS altered
FROM proof_hashed AS hashed
WHERE hashed.epoch <= %(through)s
GROUP BY hashed.epoch;
