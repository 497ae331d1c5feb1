-- Finds the id of a season by its slug. Zero rows: there is none.
-- Index seasons_season_slug_key. No locks.
SELECT season.id
FROM seasons_season AS season
WHERE season.slug = %(slug)s;
