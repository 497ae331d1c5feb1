-- Finds a season by its slug, and whether it is gone. Zero rows: there is none.
-- Index seasons_season_slug_key. No locks.
SELECT
    season.id,
    season.retired_at IS NOT NULL AS retired
FROM seasons_season AS season
WHERE season.slug = %(slug)s;
