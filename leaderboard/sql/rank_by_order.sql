-- noqa: disable=RF01
-- Part of a statement about keys, each in a row `shown`: the rank on an ordered board, which
-- is 1 + prefix of the bucket + players of the bucket before the key, counted in the order of
-- the bests as they were at the version. No rank: the prefixes are lost.
-- Look-ups by version_once_per_namespace, leaderboard_layout_pkey, boundary_in_rank_order and
-- prefix_once_per_version; range scans of best_in_region_order, or that of all players, and, for
-- each epoch after the version, of undo_in_rank_order, within one bucket.
SELECT
    1
    + leaderboard_count_at(prefix.above, mod(bucket.bucket, 64))
    + (
        SELECT count(*)
        FROM scores_best AS best
        WHERE
            best.namespace = %(namespace)s
            AND best.score IS NOT NULL
            AND best.epoch <= %(version)s
            AND (%(board)s = 0 OR best.region = %(board)s)
            AND ((-best.score), best.tie_key) >= (-bucket.score, bucket.tie_key)
            AND ((-best.score), best.tie_key) < (-shown.score, shown.tie_key)
    )::integer
    + (
        SELECT count(*)
        FROM (
            SELECT seal.epoch
            FROM seasons_seal AS seal
            WHERE seal.season_id = %(season_id)s AND seal.epoch > %(version)s
            UNION ALL
            SELECT opened.open_epoch
            FROM seasons_epoch AS opened
            WHERE opened.season_id = %(season_id)s
        ) AS later_epoch (epoch)
        CROSS JOIN LATERAL (
            SELECT undo.player_id
            FROM scores_undo AS undo
            WHERE
                undo.namespace = %(namespace)s
                AND undo.to_epoch = later_epoch.epoch
                AND undo.from_epoch <= %(version)s
                AND (%(board)s = 0 OR undo.region = %(board)s)
                AND ((-undo.score), undo.tie_key) >= (-bucket.score, bucket.tie_key)
                AND ((-undo.score), undo.tie_key) < (-shown.score, shown.tie_key)
            ORDER BY (-undo.score), undo.tie_key
        ) AS undone
    )::integer AS rank
FROM leaderboard_version AS counted
INNER JOIN leaderboard_layout AS layout ON counted.layout_id = layout.id
CROSS JOIN
    LATERAL (
        SELECT
            boundary.bucket,
            boundary.score,
            boundary.tie_key
        FROM leaderboard_boundary AS boundary
        WHERE
            boundary.boundary_set = layout.boundary_sets[%(board)s + 1]
            AND ((-boundary.score), boundary.tie_key) <= (-shown.score, shown.tie_key)
        ORDER BY (-boundary.score) DESC, boundary.tie_key DESC
        LIMIT 1
    ) AS bucket
LEFT JOIN LATERAL (
    SELECT stored.above
    FROM leaderboard_prefix AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.version = %(version)s
        AND stored.board = %(board)s
        AND stored.slice = bucket.bucket / 64
    LIMIT 1
) AS prefix ON TRUE
WHERE
    counted.namespace = %(namespace)s
    AND counted.number = %(version)s;
