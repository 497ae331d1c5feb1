-- Finds the rank of one player at a version: 1 + prefix + players above within the bucket.
-- Zero rows: the version is not here. No score: the player is not on the board then.
-- A best stamped after the version is as its undo row says. What is accepted but in no
-- version yet stands in `accepted_…`. Index look-ups only: version_once_per_namespace,
-- best_once_per_player, undo_once_per_epoch, prefix_once_per_version, bucket_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    shown.score,
    shown.tie_key,
    1
    + leaderboard_count_at(prefix.above, place.in_slice)
    + leaderboard_count_at(bucket.above, place.in_bucket) AS rank,
    best.epoch AS accepted_epoch,
    best.score AS accepted_score,
    best.score_version AS accepted_version,
    shown.score IS NOT NULL OR (
        EXISTS (
            SELECT FROM scores_best AS sentinel
            WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
        )
        AND (
            version.members[%(board)s + 1] = 0
            OR EXISTS (
                SELECT FROM leaderboard_bucket AS counted
                WHERE counted.namespace = %(namespace)s AND counted.board = %(board)s
            )
        )
    ) AS boards_present
FROM leaderboard_version AS version
LEFT JOIN scores_best AS best
    ON best.namespace = %(namespace)s AND best.player_id = %(player_id)s
LEFT JOIN LATERAL (
    SELECT
        undo.score,
        undo.tie_key,
        undo.region
    FROM scores_undo AS undo
    WHERE
        best.epoch > version.number
        AND undo.namespace = %(namespace)s
        AND undo.player_id = %(player_id)s
        AND undo.to_epoch > version.number
        AND undo.from_epoch <= version.number
    LIMIT 1
) AS undone ON TRUE
LEFT JOIN LATERAL (
    SELECT
        CASE WHEN best.epoch <= version.number THEN best.score ELSE undone.score END AS score,
        CASE WHEN best.epoch <= version.number THEN best.tie_key ELSE undone.tie_key END
            AS tie_key,
        CASE WHEN best.epoch <= version.number THEN best.region ELSE undone.region END AS region
) AS shown ON %(board)s = 0 OR shown.region = %(board)s
LEFT JOIN LATERAL (
    SELECT
        (shown.score - %(lower_score)s) / %(bucket_width)s AS bucket,
        (shown.score - %(lower_score)s) / %(bucket_width)s / 64 AS slice,
        mod((shown.score - %(lower_score)s) / %(bucket_width)s, 64) AS in_slice,
        mod(shown.score - %(lower_score)s, %(bucket_width)s) AS in_bucket
) AS place ON TRUE
LEFT JOIN LATERAL (
    SELECT
        stored.above,
        stored.age
    FROM leaderboard_prefix AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.version = version.number
        AND stored.board = %(board)s
        AND stored.slice = place.slice
    LIMIT 1
) AS prefix ON TRUE
LEFT JOIN LATERAL (
    SELECT stored.above
    FROM leaderboard_bucket AS stored
    WHERE
        stored.namespace = %(namespace)s
        AND stored.board = %(board)s
        AND stored.bucket = place.bucket
        AND stored.version
        = version.number - leaderboard_count_at(prefix.age, place.in_slice)
    LIMIT 1
) AS bucket ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
