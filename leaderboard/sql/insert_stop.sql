-- Notes that a check failed, so that the season's publication stands still.
INSERT INTO leaderboard_stop AS noted (season_id, failed_check, detail, stopped_at)
VALUES (%(season_id)s, %(failed_check)s, %(detail)s, clock_timestamp())
ON CONFLICT (season_id) DO UPDATE SET
    failed_check = excluded.failed_check,
    detail = excluded.detail,
    stopped_at = excluded.stopped_at;
