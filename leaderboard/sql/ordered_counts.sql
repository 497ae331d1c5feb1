-- Reads the version's row, and of an ordered board all boundaries that it had then (big-endian
-- integers, one after the other) and its prefixes, in slices, lowest bucket first: as many rows
-- as the board has slices, whoever is on it.
-- Zero rows: the version is not here. No prefix: it is lost.
-- Indexes version_once_per_namespace, leaderboard_layout_pkey and, slice by slice,
-- prefix_once_per_version and boundary_once_per_bucket. No locks.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    exists(
        SELECT FROM scores_best AS sentinel
        WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
    ) AS bests_present,
    begun.scores,
    begun.tie_keys,
    prefix.above
FROM leaderboard_version AS version
INNER JOIN leaderboard_layout AS layout ON version.layout_id = layout.id
CROSS JOIN
    LATERAL (
        SELECT coalesce(max(boundary.bucket), 0) / 64 AS slice
        FROM leaderboard_boundary AS boundary
        WHERE boundary.boundary_set = layout.boundary_sets[%(board)s + 1]
    ) AS highest
CROSS JOIN LATERAL generate_series(0, highest.slice) AS every (slice)
CROSS JOIN
    LATERAL (
        SELECT
            coalesce(string_agg(int4send(boundary.score), ''), '') AS scores,
            coalesce(string_agg(int8send(boundary.tie_key), ''), '') AS tie_keys
        FROM (
            SELECT
                stored.score,
                stored.tie_key
            FROM leaderboard_boundary AS stored
            WHERE
                stored.boundary_set = layout.boundary_sets[%(board)s + 1]
                AND stored.bucket BETWEEN every.slice * 64 AND every.slice * 64 + 63
            ORDER BY stored.bucket
        ) AS boundary
    ) AS begun
LEFT JOIN LATERAL (
    SELECT stored.above
    FROM leaderboard_prefix AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.version = %(version)s
        AND stored.board = %(board)s
        AND stored.slice = every.slice
    LIMIT 1
) AS prefix ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
ORDER BY every.slice;
