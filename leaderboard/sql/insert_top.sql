-- Writes the highest places of a board at a version, best first.
INSERT INTO leaderboard_top (
    namespace, version, board, player_ids, scores, tie_keys, ranks
)
VALUES (
    %(namespace)s,
    %(version)s,
    %(board)s,
    %(player_ids)s,
    %(scores)s,
    %(tie_keys)s,
    %(ranks)s
);
