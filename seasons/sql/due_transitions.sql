-- Finds the seasons whose start or cutoff has passed by the database's clock without having
-- been recorded; retired ones are left out. Zero rows: none. No locks. The tables have a few
-- rows a season.
SELECT season.id
FROM seasons_season AS season
WHERE
    season.retired_at IS NULL
    AND (
        (
            season.starts_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM seasons_transition AS opened
                WHERE opened.season_id = season.id AND opened.status = 'open'
            )
        )
        OR (
            season.cutoff_at <= clock_timestamp()
            AND NOT EXISTS (
                SELECT FROM seasons_transition AS closed
                WHERE closed.season_id = season.id AND closed.status = 'closing'
            )
        )
    )
ORDER BY season.id;
