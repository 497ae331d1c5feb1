-- Finds the seasons whose grace time is over by the database's clock and that are not final,
-- but for those whose last candidate disagreed with the ledger: these wait for a person.
-- Zero rows: none. The tables have a few rows a season.
SELECT season.id
FROM seasons_season AS season
WHERE
    season.final_version IS NULL
    AND season.retired_at IS NULL
    AND season.cutoff_at + make_interval(secs => season.grace_seconds) <= clock_timestamp()
    AND NOT EXISTS (
        SELECT FROM leaderboard_candidate AS candidate
        INNER JOIN leaderboard_verification AS verification
            ON candidate.verification_id = verification.id
        WHERE
            candidate.season_id = season.id
            AND candidate.discarded_at IS NULL
            AND NOT verification.agrees
    )
ORDER BY season.id;
