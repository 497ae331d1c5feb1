-- Folds the players asked for, through the version. Rows are those of the work tables.
INSERT INTO proof_player (
    player_id,
    tie_key,
    hidden_tie_key,
    score,
    hidden_score,
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
    folded.player_id,
    folded.tie_key,
    folded.hidden_tie_key,
    folded.score,
    folded.hidden_score,
    folded.region,
    folded.removed,
    FALSE AS only_results,
    folded.chained,
    TRUE AS receipted,
    folded.revision,
    folded.score_version,
    folded.epoch,
    folded.change_no
FROM proof_folded AS folded;
