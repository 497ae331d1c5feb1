-- Finds the seasons that are not served or written as they should, the first hundred by
-- slug, and why. Zero rows: all is well. A final season needs no new version; one that is not
-- final long after its grace time was over has met something that an operator must look at.
-- A verification that found a difference counts until a whole one of later agrees: there are
-- few of those, and an index on them alone.
SELECT
    season.slug,
    current_version.number,
    extract(
        EPOCH FROM
        statement_timestamp()
        - greatest(current_version.as_of, least(season.starts_at, statement_timestamp()))
    )::float8 AS age_seconds,
    stop.failed_check,
    season.bests_damaged_at IS NOT NULL AS writes_stopped,
    disagreeing.version AS disagreeing_candidate,
    unproved.version AS unproved_version,
    extract(
        EPOCH FROM
        statement_timestamp()
        - season.cutoff_at
        - season.grace_seconds * interval '1 second'
    )::float8 AS over_seconds
FROM seasons_season AS season
LEFT JOIN leaderboard_current AS current_version ON season.id = current_version.season_id
LEFT JOIN leaderboard_stop AS stop ON season.id = stop.season_id
LEFT JOIN LATERAL (
    SELECT candidate.version
    FROM leaderboard_candidate AS candidate
    INNER JOIN leaderboard_verification AS verification
        ON candidate.verification_id = verification.id
    WHERE
        season.final_version IS NULL
        AND candidate.season_id = season.id
        AND candidate.discarded_at IS NULL
        AND NOT verification.agrees
    LIMIT 1
) AS disagreeing ON TRUE
LEFT JOIN LATERAL (
    SELECT verification.version
    FROM leaderboard_verification AS verification
    WHERE
        season.final_version IS NULL
        AND verification.season_id = season.id
        AND NOT verification.agrees
        AND NOT EXISTS (
            SELECT FROM leaderboard_verification AS later
            WHERE
                later.season_id = season.id
                AND later.id > verification.id
                AND later.scope = 'whole'
                AND later.agrees
        )
    LIMIT 1
) AS unproved ON TRUE
WHERE
    season.retired_at IS NULL
    AND (
        stop.season_id IS NOT NULL
        OR disagreeing.version IS NOT NULL
        OR season.bests_damaged_at IS NOT NULL
        OR current_version.season_id IS NULL
        OR unproved.version IS NOT NULL
        OR (
            season.final_version IS NULL
            AND season.cutoff_at + season.grace_seconds * interval '1 second'
            < statement_timestamp() - %(patience)s::interval
        )
        OR (
            season.final_version IS NULL
            AND greatest(current_version.as_of, least(season.starts_at, statement_timestamp()))
            < statement_timestamp() - %(promised)s::interval
        )
    )
ORDER BY season.slug
LIMIT 100;
