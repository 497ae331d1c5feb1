-- Finds the rank of one player at a version, by the part that fits the board's kind.
-- Zero rows: the version is not here. No score: the player is not on the board then.
-- A best stamped after the version is as its undo row says. What is accepted but in no
-- version yet stands in `accepted_…`: of a region's board, what it will show of the player.
-- Index look-ups only: version_once_per_namespace, best_once_per_player, undo_once_per_epoch,
-- prefix_once_per_version, bucket_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    shown.score,
    shown.tie_key,
    ranked.rank,
    CASE
        WHEN %(board)s = 0 OR best.region = %(board)s OR shown.score IS NOT NULL THEN best.epoch
    END AS accepted_epoch,
    CASE WHEN %(board)s = 0 OR best.region = %(board)s THEN best.score END AS accepted_score,
    best.score_version AS accepted_version,
    shown.score IS NOT NULL OR %(board_present)s AS boards_present
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
LEFT JOIN LATERAL %(rank_of_shown)s AS ranked ON shown.score IS NOT NULL
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
