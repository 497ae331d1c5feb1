-- Takes the right to work at a rebuild if nobody has it, or whoever had it was killed.
-- Zero rows: somebody has it, or has the row locked. Never waits. Primary key.
UPDATE leaderboard_rebuild
SET
    holder = %(holder)s,
    held_until = clock_timestamp() + make_interval(secs => %(held_seconds)s),
    failure = ''
WHERE
    id = (
        SELECT free.id
        FROM leaderboard_rebuild AS free
        WHERE
            free.id = %(rebuild_id)s
            AND coalesce(free.held_until < clock_timestamp(), TRUE)
        FOR NO KEY UPDATE SKIP LOCKED
    );
