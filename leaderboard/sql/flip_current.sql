-- Makes a version the current one and notes when the one before was replaced.
-- Locks both rows until the transaction ends, a few milliseconds later. Readers go on.
-- Indexes version_once_per_namespace and leaderboard_current_pkey.
WITH replaced AS (
    UPDATE leaderboard_version
    SET replaced_at = clock_timestamp()
    WHERE namespace = %(namespace)s AND number = %(replaced)s
),

noted AS (
    INSERT INTO leaderboard_publication (season_id, number, published_at, ledger_rows, ledger_hash)
    VALUES (
        %(season_id)s, %(version)s, clock_timestamp(), %(ledger_rows)s, %(ledger_hash)s
    )
)

INSERT INTO leaderboard_current AS flipped (
    season_id, number, through, as_of, sampled_bucket, ledger_rows, ledger_hash
)
VALUES (
    %(season_id)s, %(version)s, %(version)s, %(as_of)s, %(sampled_bucket)s,
    %(ledger_rows)s, %(ledger_hash)s
)
ON CONFLICT (season_id) DO UPDATE SET
    number = excluded.number,
    through = excluded.through,
    as_of = excluded.as_of,
    sampled_bucket = excluded.sampled_bucket,
    ledger_rows = excluded.ledger_rows,
    ledger_hash = excluded.ledger_hash;
