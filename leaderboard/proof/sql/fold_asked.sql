-- Folds the players asked for, through the version. Rows are those of the work tables.
INSERT INTO proof_player (
    player_id,
    score,
    hidden_score,
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
    folded.player_id,
    folded.score,
    folded.hidden_score,
    folded.removed,
    FALSE AS only_results,
    folded.chained,
    TRUE AS receipted,
    folded.revision,
    folded.score_version,
    folded.epoch,
    folded.change_no
FROM proof_folded AS folded;
