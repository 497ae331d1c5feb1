-- Finds the oldest version that can be read, and up to where epochs were looked at.
-- Zero rows: the season has no version. Indexes version_once_per_namespace and
-- leaderboard_current_pkey.
SELECT
    oldest.number,
    current_version.through
FROM leaderboard_current AS current_version
CROSS JOIN
    LATERAL (
        SELECT version.number
        FROM leaderboard_version AS version
        WHERE version.namespace = %(namespace)s
        ORDER BY version.number
        LIMIT 1
    ) AS oldest
WHERE current_version.season_id = %(season_id)s;
