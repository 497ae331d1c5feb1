-- Forgets numbers that a retired season published, a bounded number at once. Zero rows: none is
-- left. Index publication_once_per_number, by an array.
DELETE FROM leaderboard_publication
WHERE
    season_id = %(season_id)s
    AND number = any(array(
        SELECT publication.number
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s
        ORDER BY publication.number
        LIMIT 10000
    ));
