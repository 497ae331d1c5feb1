-- Reads the stored top of a board at a version, and the version's row; and whether bests and
-- buckets are there.
-- Zero rows: the version is not here. Unique indexes version_once_per_namespace and
-- top_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    %(board_present)s AS boards_present,
    top.player_ids,
    top.scores,
    top.tie_keys,
    top.ranks
FROM leaderboard_version AS version
INNER JOIN leaderboard_top AS top
    ON
        version.namespace = top.namespace
        AND version.number = top.version
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s
    AND top.board = %(board)s;
