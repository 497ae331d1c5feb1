-- Reads from which version on the changes of a season can still be told.
-- Always one row; null: nothing was purged. Primary key publication_once_per_number.
SELECT min(publication.number) AS oldest
FROM leaderboard_publication AS publication
WHERE publication.season_id = %(season_id)s;
