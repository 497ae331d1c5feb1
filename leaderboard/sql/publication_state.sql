-- Reads where the publication of a season stands, behind the publisher's lock.
-- Zero rows: the season has no version yet. Indexes seasons_season_pkey,
-- leaderboard_current_pkey and version_once_per_namespace. No locks.
SELECT
    season.namespace,
    season.ledger_namespace,
    season.regions,
    layout.lower_score,
    layout.bucket_width,
    layout.buckets,
    layout.boundary_sets,
    version.layout_id,
    version.number,
    version.members,
    version.score_sums,
    current_version.through,
    current_version.sampled_bucket,
    current_version.ledger_rows,
    current_version.ledger_hash,
    season.final_version
FROM seasons_season AS season
INNER JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
CROSS JOIN
    LATERAL (
        SELECT
            made.layout_id,
            made.number,
            made.members,
            made.score_sums
        FROM leaderboard_version AS made
        WHERE made.namespace = season.namespace AND made.number = current_version.number
        LIMIT 1
    ) AS version
INNER JOIN leaderboard_layout AS layout ON version.layout_id = layout.id
WHERE season.id = %(season_id)s;
