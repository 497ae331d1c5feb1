-- Reads the prefixes of a board at a version and the ages of its buckets' rows, lowest
-- bucket first, in slices.
-- Zero rows: the version has none. Index prefix_once_per_version.
SELECT
    prefix.above,
    prefix.age
FROM leaderboard_prefix AS prefix
WHERE
    prefix.namespace = %(namespace)s
    AND prefix.version = %(version)s
    AND prefix.board = %(board)s
ORDER BY prefix.slice;
