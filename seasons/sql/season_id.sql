-- Finds the id of a season by its slug. Zero rows: there is none. Unique index on the slug.
SELECT season.id
FROM seasons_season AS season
WHERE season.slug = %(slug)s;
