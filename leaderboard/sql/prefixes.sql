-- Reads the prefixes of a board at a version, the ages of its buckets' rows and what buckets
-- gained since, lowest bucket first, in slices.
-- Zero rows: the version has none. Index prefix_once_per_version.
SELECT
    prefix.above,
    prefix.age,
    prefix.places,
    prefix.gained
FROM leaderboard_prefix AS prefix
WHERE
    prefix.namespace = %(namespace)s
    AND prefix.version = %(version)s
    AND prefix.board = %(board)s
ORDER BY prefix.slice;
