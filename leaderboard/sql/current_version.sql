-- Reads the number of a season's current version. Zero rows: none was published yet.
-- Index leaderboard_current_pkey. No locks.
SELECT current_version.number
FROM leaderboard_current AS current_version
WHERE current_version.season_id = %(season_id)s;
