-- Writes the row of a version that was counted anew: its times and its ledger are those of the
-- row in the namespace that is replaced. Zero rows: that namespace has no such version.
INSERT INTO leaderboard_version (
    season_id, number, kind, namespace, layout_id, first_epoch, sealed_at, published_at,
    replaced_at, members, score_sums, ledger_rows, ledger_hash
)
SELECT
    version.season_id,
    version.number,
    version.kind,
    %(namespace)s,
    version.layout_id,
    version.first_epoch,
    version.sealed_at,
    version.published_at,
    version.replaced_at,
    %(members)s::integer[],
    %(score_sums)s::bigint[],
    version.ledger_rows,
    version.ledger_hash
FROM leaderboard_version AS version
WHERE version.namespace = %(other_namespace)s AND version.number = %(version)s;
