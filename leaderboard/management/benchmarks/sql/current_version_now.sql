-- Reads which version is current, and the time. Primary key.
SELECT
    current_version.number,
    clock_timestamp() AS seen_at
FROM leaderboard_current AS current_version
WHERE current_version.season_id = %(season_id)s;
