-- Finds the ranks of several players at one version, each by three index look-ups.
-- Zero rows: the version is not here. No player_id: none of them is on the board then.
-- Indexes version_once_per_namespace, best_once_per_player, undo_once_per_epoch,
-- prefix_once_per_version, bucket_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    %(board_present)s AS boards_present,
    ranked.player_id,
    ranked.score,
    ranked.tie_key,
    ranked.rank
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        shown.player_id,
        shown.score,
        shown.tie_key,
        placed.rank
    FROM (
        SELECT
            best.player_id,
            CASE WHEN best.epoch <= version.number THEN best.score ELSE undone.score END
                AS score,
            CASE WHEN best.epoch <= version.number THEN best.tie_key ELSE undone.tie_key END
                AS tie_key,
            CASE WHEN best.epoch <= version.number THEN best.region ELSE undone.region END
                AS region
        FROM scores_best AS best
        LEFT JOIN LATERAL (
            SELECT
                undo.score,
                undo.tie_key,
                undo.region
            FROM scores_undo AS undo
            WHERE
                best.epoch > version.number
                AND undo.namespace = %(namespace)s
                AND undo.player_id = best.player_id
                AND undo.to_epoch > version.number
                AND undo.from_epoch <= version.number
            LIMIT 1
        ) AS undone ON TRUE
        WHERE
            best.namespace = %(namespace)s
            AND best.player_id = any(%(player_ids)s::text[])
    ) AS shown
    CROSS JOIN LATERAL %(rank_of_shown)s AS placed
    WHERE
        shown.score IS NOT NULL
        AND (%(board)s = 0 OR shown.region = %(board)s)
) AS ranked ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
ORDER BY (-ranked.score), ranked.tie_key, ranked.player_id;
