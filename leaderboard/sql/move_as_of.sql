-- Says that the current version is still the whole truth: nothing changed until a seal.
-- Locks the row until the transaction ends. Index leaderboard_current_pkey.
UPDATE leaderboard_current
SET
    through = %(through)s,
    as_of = %(as_of)s,
    ledger_rows = %(ledger_rows)s,
    ledger_hash = %(ledger_hash)s
WHERE season_id = %(season_id)s;
