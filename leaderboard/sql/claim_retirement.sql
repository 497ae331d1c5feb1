-- Takes the oldest retirement whose tables are still there and that nobody works on, or whose
-- worker must be gone. Zero rows: there is none.
-- Locks it until it commits and passes over those that others have locked.
-- Index retirement_unfinished_in_order.
UPDATE leaderboard_retirement
SET held_until = clock_timestamp() + make_interval(secs => %(held_seconds)s::integer)
WHERE
    id = (
        SELECT retirement.id
        FROM leaderboard_retirement AS retirement
        WHERE
            retirement.dropped_at IS NULL
            AND (retirement.held_until IS NULL OR retirement.held_until < clock_timestamp())
        ORDER BY retirement.begun_at
        LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED
    )
RETURNING id;
