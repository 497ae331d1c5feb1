-- Reads the version's row and all prefixes of a board with the ages of its buckets' rows, in
-- slices, lowest bucket first: as many rows as the board has slices, whoever is on it.
-- Zero rows: the version is not here. No prefix: its prefixes are lost.
-- Indexes version_once_per_namespace and prefix_once_per_version. No locks.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    %(board_present)s AS boards_present,
    prefix.above,
    prefix.age
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        stored.slice,
        stored.above,
        stored.age
    FROM leaderboard_prefix AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.version = %(version)s
        AND stored.board = %(board)s
) AS prefix ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
ORDER BY prefix.slice;
