-- Finds the seasons by some rules of series that instants lie in. By the stored windows that
-- is for each rule the last that began before; the one after it too may have been opened by hand.
-- Retired ones are left out. Zero rows: the instants lie in none. No locks.
-- Index window_once_per_start, twice for each rule and instant, then seasons_season_pkey.
SELECT DISTINCT
    rule.id AS rule_id,
    season.starts_at,
    season.cutoff_at,
    season.id AS season_id,
    season.slug
FROM unnest(%(rule_ids)s::bigint[]) AS rule (id)
CROSS JOIN unnest(%(instants)s::timestamptz[]) AS asked (instant)
CROSS JOIN
    LATERAL (
        (
            SELECT earlier.season_id
            FROM seasons_window AS earlier
            WHERE earlier.rule_id = rule.id AND earlier.starts_at <= asked.instant
            ORDER BY earlier.starts_at DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT later.season_id
            FROM seasons_window AS later
            WHERE later.rule_id = rule.id AND later.starts_at > asked.instant
            ORDER BY later.starts_at ASC
            LIMIT 1
        )
    ) AS near
CROSS JOIN
    LATERAL (
        SELECT found.*
        FROM seasons_season AS found
        WHERE found.id = near.season_id
        LIMIT 1
    ) AS season
WHERE
    season.starts_at <= asked.instant
    AND season.cutoff_at > asked.instant
    AND season.retired_at IS NULL
ORDER BY rule.id, season.starts_at, season.id;
