-- Reads the stored top of a board at a version. Zero rows: the version is not here.
-- Index top_once_per_version.
SELECT
    top.player_ids,
    top.scores,
    top.tie_keys,
    top.ranks
FROM leaderboard_top AS top
WHERE
    top.namespace = %(namespace)s
    AND top.version = %(version)s
    AND top.board = %(board)s;
