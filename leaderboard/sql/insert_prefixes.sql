-- Writes the prefixes of an ordered board at a version, lowest buckets first, a row for each 64.
INSERT INTO leaderboard_prefix (namespace, version, board, slice, above)
SELECT
    %(namespace)s,
    %(version)s,
    %(board)s,
    every.slice,
    substring(%(above)s::bit varying FROM every.slice * 64 * 32 + 1 FOR 64 * 32)
FROM generate_series(0, (%(buckets)s - 1) / 64) AS every (slice);
