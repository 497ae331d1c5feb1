-- Ends the stop of a season's publication: its boards are new. Zero rows: it was not stopped.
-- A row for each season that stands still.
DELETE FROM leaderboard_stop
WHERE season_id = %(season_id)s;
