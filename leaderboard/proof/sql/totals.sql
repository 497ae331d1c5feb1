-- Adds up what the ledger has on the keys of a board. Always one row.
SELECT
    coalesce(sum(counted.players), 0)::bigint AS members,
    coalesce(sum(counted.players * counted.score), 0)::bigint AS score_sum,
    coalesce(sum(counted.hash), 0) AS hash
FROM proof_key AS counted;
