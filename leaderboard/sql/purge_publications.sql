-- Forgets numbers that were published longer ago than changes are told, oldest first, a
-- bounded number at once. The newest always stays. Primary key publication_once_per_number.
DELETE FROM leaderboard_publication
WHERE
    season_id = %(season_id)s
    AND published_at < clock_timestamp() - make_interval(secs => %(kept_seconds)s)
    AND number IN (
        SELECT publication.number
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s
        ORDER BY publication.number
        LIMIT 200
    )
    AND number < (
        SELECT max(publication.number)
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s
    );
