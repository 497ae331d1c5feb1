-- Finds the seasons whose bests follow the regions of players: all with regions that are neither
-- final nor retired. Zero rows: none. No locks. The table has a row a season.
SELECT season.id
FROM seasons_season AS season
WHERE
    season.final_version IS NULL
    AND season.retired_at IS NULL
    AND cardinality(season.regions) > 0
ORDER BY season.id;
