-- Forgets what a retired season has in tables that all share: which version is current, leases,
-- a stop, and the layouts of its boards with their boundaries. Zero rows: that was done.
WITH layouts AS (
    DELETE FROM leaderboard_layout
    WHERE season_id = %(season_id)s
    RETURNING boundary_sets
),

boundaries AS (
    DELETE FROM leaderboard_boundary
    WHERE
        boundary_set = any(array(
            SELECT DISTINCT unnest(layouts.boundary_sets) AS boundary_set
            FROM layouts
        ))
),

leases AS (
    DELETE FROM leaderboard_lease
    WHERE season_id = %(season_id)s
),

stops AS (
    DELETE FROM leaderboard_stop
    WHERE season_id = %(season_id)s
)

DELETE FROM leaderboard_current
WHERE season_id = %(season_id)s;
