-- Writes the prefixes of a counted board at a version, the ages of its buckets' rows, and what
-- buckets gained since: lowest buckets first, a row for each 32. Of a slice are the entries
-- before its end, and from that of the slice below on; before its first place nothing is gained.
INSERT INTO leaderboard_prefix (
    namespace, version, board, slice, above, age, places, gained
)
SELECT
    %(namespace)s,
    %(version)s,
    %(board)s,
    every.slice,
    substring(%(above)s::bit varying FROM every.slice * 32 * 32 + 1 FOR 32 * 32),
    substring(%(ages)s::bit varying FROM every.slice * 32 * 32 + 1 FOR 32 * 32),
    (%(places)s::smallint[])[every.begun:every.ended],
    x'8000' || substring(
        %(gained)s::bit varying
        FROM (every.begun - 1) * 16 + 1 FOR (every.ended - every.begun + 1) * 16
    )
FROM (
    SELECT
        slice.place::integer - 1 AS slice,
        1 + lag(slice.ended, 1, 0) OVER (ORDER BY slice.place) AS begun,
        slice.ended
    FROM unnest(%(ends)s::integer[]) WITH ORDINALITY AS slice (ended, place)
) AS every;
