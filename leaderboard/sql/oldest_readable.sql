-- Finds the oldest version that can be read, and up to where epochs were looked at.
-- Zero rows: the season has no version. Unique index version_once_per_season.
SELECT
    min(version.number) AS oldest,
    min(current_version.through) AS through
FROM leaderboard_version AS version
INNER JOIN leaderboard_current AS current_version
    ON version.season_id = current_version.season_id
WHERE version.season_id = %(season_id)s
HAVING count(*) > 0;
