-- Counts the seasons that are not retired, and those that have a version to serve.
-- Always one row. No locks.
SELECT
    count(*) AS seasons,
    count(current_version.season_id) AS served
FROM seasons_season AS season
LEFT JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
WHERE season.retired_at IS NULL;
