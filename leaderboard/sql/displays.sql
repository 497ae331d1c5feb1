-- Reads what is shown with the scores that some players have at a version: the display data of
-- the newest result up to it that improved the best, shown or hidden, to that score; else of
-- the first result with it, which gives the score if a better one was voided.
-- Zero rows: none of them brought any. Index display_in_order, player by player. No locks.
SELECT
    asked.player_id,
    shown.display
FROM
    unnest(
        %(player_ids)s::text[], %(scores)s::integer[]
    ) AS asked (player_id, score)
CROSS JOIN LATERAL (
    SELECT result.display
    FROM (
        (
            SELECT
                ledger.display,
                ledger.outcome
            FROM scores_ledger AS ledger
            WHERE
                ledger.namespace = %(namespace)s
                AND ledger.player_id = asked.player_id
                AND ledger.display IS NOT NULL
                AND ledger.change_no IS NOT NULL
                AND ledger.epoch <= %(version)s
                AND ledger.score = asked.score
                AND ledger.outcome = 'improved'
            ORDER BY ledger.change_no DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT
                ledger.display,
                ledger.outcome
            FROM scores_ledger AS ledger
            WHERE
                ledger.namespace = %(namespace)s
                AND ledger.player_id = asked.player_id
                AND ledger.display IS NOT NULL
                AND ledger.change_no IS NOT NULL
                AND ledger.epoch <= %(version)s
                AND ledger.score = asked.score
                AND ledger.outcome = 'not_improved'
            ORDER BY ledger.change_no
            LIMIT 1
        )
    ) AS result
    ORDER BY result.outcome
    LIMIT 1
) AS shown;
