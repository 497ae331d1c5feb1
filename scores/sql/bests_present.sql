-- Asks for the sentinel of a namespace's bests: false means that the bests are lost.
-- Always one row. Index best_once_per_player. No locks.
SELECT exists(
    SELECT FROM scores_best AS best
    WHERE best.namespace = %(namespace)s AND best.player_id = ''
) AS bests_present;
