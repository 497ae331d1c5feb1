-- Asks whether a namespace has its bests, by their sentinel, and any bucket of its global board.
-- Always one row. Index best_once_per_player, and either of the buckets'. No
-- locks.
SELECT
    exists(
        SELECT FROM scores_best AS sentinel
        WHERE sentinel.namespace = %(namespace)s AND sentinel.player_id = ''
    ) AS bests,
    exists(
        SELECT FROM leaderboard_bucket AS counted
        WHERE counted.namespace = %(namespace)s AND counted.board = 0
    ) AS buckets;
