-- Reads all that a reader must know of some seasons, and which version of each is current.
-- Zero rows: there are no such seasons. Index seasons_season_slug_key, then look-ups by
-- leaderboard_current_pkey, version_once_per_namespace and leaderboard_layout_pkey. No locks.
-- Nothing can be accepted before the start: until then `as_of` is the present.
SELECT
    season.id AS season_id,
    season.slug,
    season.name,
    season.namespace,
    season.ledger_namespace,
    season.starts_at,
    season.cutoff_at,
    season.grace_seconds,
    season.late_policy,
    season.tie_rule,
    season.order,
    season.keep,
    season.score_min,
    season.score_max,
    season.regions,
    season.final_version,
    season.retired_at,
    season.has_display,
    layout.lower_score,
    layout.bucket_width,
    layout.boundary_sets,
    current_version.number,
    version.members,
    version.sealed_at,
    greatest(
        current_version.as_of, least(season.starts_at, statement_timestamp())
    ) AS as_of,
    stop.failed_check,
    statement_timestamp() AS read_at
FROM unnest(%(slugs)s::text[]) AS asked (slug)
CROSS JOIN
    LATERAL (
        SELECT named.*
        FROM seasons_season AS named
        WHERE named.slug = asked.slug
        LIMIT 1
    ) AS season
LEFT JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
LEFT JOIN LATERAL (
    SELECT
        made.layout_id,
        made.members,
        made.sealed_at
    FROM leaderboard_version AS made
    WHERE made.namespace = season.namespace AND made.number = current_version.number
    LIMIT 1
) AS version ON TRUE
LEFT JOIN leaderboard_layout AS layout ON version.layout_id = layout.id
LEFT JOIN leaderboard_stop AS stop ON season.id = stop.season_id;
