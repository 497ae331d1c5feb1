-- Writes the version itself, after all that it needs.
INSERT INTO leaderboard_version (
    season_id, number, namespace, layout_id, first_epoch, sealed_at, published_at,
    kind, members, score_sums, ledger_rows, ledger_hash
)
VALUES (
    %(season_id)s, %(version)s, %(namespace)s, %(layout_id)s, %(first_epoch)s,
    %(sealed_at)s, clock_timestamp(),
    %(kind)s, %(members)s, %(score_sums)s, %(ledger_rows)s, %(ledger_hash)s
);
