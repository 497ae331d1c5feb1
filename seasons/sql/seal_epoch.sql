-- Ends the open epoch of a season and opens the next, in one round trip.
-- Locks the epoch fence exclusively until it commits: every write of the epochs before is
-- then committed or gone. The wait is bounded, else slow batches would starve the writers.
-- The next number follows the database's clock (tenths of a second since the season was
-- made), so that no number is used again after a restore that lost time.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL statement_timeout = '1500ms';
SET LOCAL idle_in_transaction_session_timeout = '2s';
SET LOCAL lock_timeout = %(lock_milliseconds)s;
SELECT pg_advisory_xact_lock(1, %(season_id)s);
WITH moved AS (
    UPDATE seasons_epoch
    SET
        sealed_epoch = seasons_epoch.open_epoch,
        open_epoch = greatest(
            seasons_epoch.open_epoch + 1,
            floor(10 * extract(EPOCH FROM clock_timestamp() - season.created_at))::bigint
        )
    FROM seasons_season AS season
    WHERE seasons_epoch.season_id = %(season_id)s AND season.id = seasons_epoch.season_id
    RETURNING seasons_epoch.sealed_epoch, seasons_epoch.open_epoch
)

INSERT INTO seasons_seal (season_id, epoch, version, sealed_at)
SELECT %(season_id)s, moved.sealed_epoch, moved.open_epoch - 1, clock_timestamp()
FROM moved;
COMMIT;
