-- Finds the newest finished verification of each of some seasons. A season without one is
-- absent. No locks. Index verification_in_season_order, season by season.
SELECT
    found.season_id,
    found.id,
    found.version,
    found.scope,
    found.finished_at,
    found.agrees
FROM unnest(%(season_ids)s::bigint[]) AS asked (season_id)
CROSS JOIN
    LATERAL (
        SELECT
            verification.season_id,
            verification.id,
            verification.version,
            verification.scope,
            verification.finished_at,
            verification.agrees
        FROM leaderboard_verification AS verification
        WHERE
            verification.season_id = asked.season_id
            AND verification.agrees IS NOT NULL
        ORDER BY verification.season_id DESC, verification.id DESC
        LIMIT 1
    ) AS found;
