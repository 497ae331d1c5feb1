-- Takes the oldest job of some kinds that nobody works on: one that was not started, or that
-- was started so long ago that its worker must be gone. Zero rows: there is none.
-- Locks the job until it commits and passes over those that others have locked.
-- Index job_unfinished_in_order.
UPDATE leaderboard_job
SET started_at = clock_timestamp()
WHERE
    id = (
        SELECT job.id
        FROM leaderboard_job AS job
        WHERE
            job.finished_at IS NULL
            AND job.kind = any(%(kinds)s::text[])
            AND (
                job.started_at IS NULL
                OR job.started_at
                < clock_timestamp() - make_interval(secs => %(given_up_seconds)s::integer)
            )
        ORDER BY job.requested_at
        LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED
    )
RETURNING id, kind, arguments::text, requested_by_id, requested_at;
