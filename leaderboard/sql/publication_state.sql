-- Reads where the publication of a season stands, behind the publisher's lock.
-- Zero rows: the season has no version yet. Indexes seasons_season_pkey,
-- leaderboard_current_pkey and version_once_per_season. No locks.
SELECT
    season.namespace,
    season.regions,
    layout.lower_score,
    layout.bucket_width,
    layout.buckets,
    version.layout_id,
    version.number,
    version.members,
    version.score_sums,
    current_version.through,
    current_version.sampled_bucket
FROM seasons_season AS season
INNER JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
INNER JOIN leaderboard_version AS version
    ON
        season.id = version.season_id
        AND current_version.number = version.number
INNER JOIN leaderboard_layout AS layout ON version.layout_id = layout.id
WHERE season.id = %(season_id)s;
