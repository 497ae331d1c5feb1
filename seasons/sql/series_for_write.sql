-- Reads what is said of results for a series before it is known which seasons they belong to.
-- Zero rows: there is no such series. No locks. Index seasons_series_slug_key.
SELECT
    series.id,
    series.score_min,
    series.score_max,
    series.order,
    clock_timestamp() AS read_at
FROM seasons_series AS series
WHERE series.slug = %(slug)s;
