-- Asks whether a namespace has its bests, by their sentinel, and what the global board of a
-- version is counted from: any bucket, or the prefixes of an ordered board.
-- Always one row. Indexes best_once_per_player and prefix_once_per_version, and either of the
-- buckets'. No locks.
SELECT
    exists(
        SELECT FROM scores_best AS sentinel
        WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
    ) AS bests,
    EXISTS (
        SELECT FROM leaderboard_bucket AS counted
        WHERE counted.namespace = %(namespace)s AND counted.board = 0
    )
    OR EXISTS (
        SELECT FROM leaderboard_prefix AS prefix
        WHERE
            prefix.namespace = %(namespace)s
            AND prefix.version = %(version)s
            AND prefix.board = 0
            AND prefix.age IS NULL
    ) AS buckets;
