-- Forgets numbers that were published longer ago than changes are told, oldest first, a
-- bounded number at once. The newest always stays. Index publication_once_per_number, by an
-- array: a join would read all that are kept.
DELETE FROM leaderboard_publication
WHERE
    season_id = %(season_id)s
    AND published_at < clock_timestamp() - make_interval(secs => %(kept_seconds)s)
    AND number = any(array(
        SELECT publication.number
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s
        ORDER BY publication.number
        LIMIT 200
    ))
    AND number < (
        SELECT max(publication.number)
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s
    );
