-- Sets the players who were asked for to what their events fold to. The receipts of those who
-- were corrected are not looked at. Rows are those of the work tables.
UPDATE proof_player AS player
SET
    score = folded.score,
    hidden_score = folded.hidden_score,
    tie_key = folded.tie_key,
    hidden_tie_key = folded.hidden_tie_key,
    region = folded.region,
    removed = folded.removed,
    chained = folded.chained,
    receipted = player.receipted OR NOT player.only_results,
    revision = folded.revision,
    score_version = folded.score_version,
    epoch = folded.epoch,
    change_no = folded.change_no
FROM proof_folded AS folded
WHERE player.player_id = folded.player_id;
