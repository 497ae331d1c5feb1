-- Compares the first epoch of the version with the end of the one before, while that is known.
-- Zero rows: it is the next one. Indexes version_once_per_namespace and
-- publication_once_per_number.
SELECT
    'version ' || version.number AS place,
    'from epoch ' || previous.number + 1 AS expected,
    'from epoch ' || version.first_epoch AS found,
    count(*) OVER () AS differing
FROM leaderboard_version AS version
CROSS JOIN
    LATERAL (
        SELECT publication.number
        FROM leaderboard_publication AS publication
        WHERE publication.season_id = %(season_id)s AND publication.number < version.number
        ORDER BY publication.number DESC
        LIMIT 1
    ) AS previous
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
    AND version.first_epoch <> previous.number + 1
LIMIT %(most)s;
