-- Reads the version that is to be proved, and what it is held against. Without a number it is
-- the current one, and the ledger is looked at through the epochs that it was found to be whole
-- for. Zero rows: the season has no version at all; no members: not this one.
-- Indexes leaderboard_current_pkey and version_once_per_namespace. No locks.
SELECT
    season.id AS season_id,
    season.slug,
    coalesce(%(other_namespace)s::integer, season.namespace) AS namespace,
    season.ledger_namespace,
    current_version.number AS current_number,
    coalesce(%(version)s::bigint, current_version.number) AS version,
    CASE
        WHEN coalesce(%(version)s::bigint, current_version.number) = current_version.number
            THEN current_version.through
        ELSE %(version)s::bigint
    END AS through,
    version.members,
    version.score_sums,
    version.ledger_rows,
    layout.lower_score,
    layout.bucket_width,
    layout.buckets,
    layout.boundary_sets,
    season.tie_rule,
    season.keep,
    season.regions
FROM seasons_season AS season
INNER JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
LEFT JOIN leaderboard_version AS version
    ON
        version.namespace = coalesce(%(other_namespace)s::integer, season.namespace)
        AND version.number = coalesce(%(version)s::bigint, current_version.number)
LEFT JOIN leaderboard_layout AS layout ON version.layout_id = layout.id
WHERE season.id = %(season_id)s;
