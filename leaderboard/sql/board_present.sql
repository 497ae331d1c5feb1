-- noqa: disable=RF01
-- Part of a statement that begins at a `version`: whether the bests, and what ranks of the board
-- are counted from, are there at all: a bucket, or the prefixes of an ordered board.
-- Always one row.
SELECT
    EXISTS (
        SELECT FROM scores_best AS sentinel
        WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
    )
    AND (
        version.members[%(board)s + 1] = 0
        OR EXISTS (
            SELECT FROM leaderboard_bucket AS counted
            WHERE counted.namespace = %(namespace)s AND counted.board = %(board)s
        )
        OR EXISTS (
            SELECT FROM leaderboard_prefix AS ordered
            WHERE
                ordered.namespace = %(namespace)s
                AND ordered.version = %(version)s
                AND ordered.board = %(board)s
                AND ordered.age IS NULL
        )
    );
