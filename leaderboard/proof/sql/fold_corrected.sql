-- Sets the players who were corrected to what their events fold to. Their receipts are not
-- looked at. Rows are those of the work tables.
UPDATE proof_player AS player
SET
    score = folded.score,
    hidden_score = folded.hidden_score,
    removed = folded.removed,
    chained = folded.chained,
    receipted = TRUE,
    revision = folded.revision,
    score_version = folded.score_version,
    epoch = folded.epoch,
    change_no = folded.change_no
FROM proof_folded AS folded
WHERE player.player_id = folded.player_id;
