-- Writes the highest places of a board at a version, best first.
INSERT INTO leaderboard_top (
    season_id, version, board, player_ids, scores, tie_keys, ranks
)
VALUES (
    %(season_id)s,
    %(version)s,
    %(board)s,
    %(player_ids)s,
    %(scores)s,
    %(tie_keys)s,
    %(ranks)s
);
