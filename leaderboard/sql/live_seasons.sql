-- Finds the seasons that have begun by the database's clock and are not final.
-- Zero rows: none. The table has a row a season.
SELECT season.id
FROM seasons_season AS season
WHERE season.starts_at <= clock_timestamp() AND season.final_version IS NULL
ORDER BY season.id;
