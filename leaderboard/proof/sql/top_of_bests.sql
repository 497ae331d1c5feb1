-- Puts the first hundred players of a board by the bests, as they were at the version, in the
-- place of the folded ledger, for the top list to be compared with.
-- Indexes best_in_rank_order or best_in_region_order, and undo_in_rank_order.
INSERT INTO proof_player (
    player_id,
    tie_key,
    score,
    region,
    removed,
    only_results,
    chained,
    receipted,
    revision,
    score_version,
    epoch,
    change_no
)
SELECT
    shown.player_id,
    shown.tie_key,
    shown.score,
    shown.region,
    FALSE AS removed,
    TRUE AS only_results,
    TRUE AS chained,
    TRUE AS receipted,
    0 AS revision,
    0 AS score_version,
    0 AS epoch,
    0 AS change_no
FROM (
    (
        SELECT
            best.player_id,
            best.score,
            best.tie_key,
            best.region
        FROM scores_best AS best
        WHERE
            best.namespace = %(namespace)s
            AND best.score IS NOT NULL
            AND best.epoch <= %(version)s
            AND (%(board)s = 0 OR best.region = %(board)s)
        ORDER BY (-best.score), best.tie_key, best.player_id
        LIMIT 100
    )
    UNION ALL
    SELECT
        undo.player_id,
        undo.score,
        undo.tie_key,
        undo.region
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch > %(version)s
        AND undo.from_epoch <= %(version)s
        AND (%(board)s = 0 OR undo.region = %(board)s)
) AS shown;
