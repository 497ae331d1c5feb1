-- Compares the last versions' counts and hashes of the ledger rows that each added with the
-- ledger. Zero rows: they agree. Indexes publication_once_per_number and ledger_in_epoch_order.
SELECT
    format('epochs %%s to %%s', told.previous + 1, told.number) AS place,
    format('%%s rows, hash %%s', told.events, told.hash) AS expected,
    format('%%s rows, hash %%s', counted.events, counted.hash) AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        latest.number,
        lead(latest.number) OVER newest_first AS previous,
        latest.ledger_rows - lead(latest.ledger_rows) OVER newest_first AS events,
        latest.ledger_hash - lead(latest.ledger_hash) OVER newest_first AS hash
    FROM (
        SELECT
            publication.number,
            publication.ledger_rows,
            publication.ledger_hash
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s AND publication.number <= %(version)s
        ORDER BY publication.number DESC
        LIMIT 4
    ) AS latest
    WINDOW newest_first AS (ORDER BY latest.number DESC)
) AS told
CROSS JOIN
    LATERAL (
        SELECT
            count(*) AS events,
            coalesce(sum(ledger.row_hash), 0) AS hash
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.epoch > told.previous
            AND ledger.epoch <= told.number
    ) AS counted
WHERE told.events <= 100000 AND (told.events <> counted.events OR told.hash <> counted.hash)
ORDER BY told.number
LIMIT %(most)s;
