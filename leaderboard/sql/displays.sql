-- Reads what is shown with the scores that some players have at a version: the display data of
-- the newest event up to it that showed that score. Zero rows: none of them brought any.
-- Index display_in_order, player by player. No locks.
SELECT
    asked.player_id,
    shown.display
FROM
    unnest(
        %(player_ids)s::text[], %(scores)s::integer[]
    ) AS asked (player_id, score)
CROSS JOIN LATERAL (
    SELECT ledger.display
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(namespace)s
        AND ledger.player_id = asked.player_id
        AND ledger.display IS NOT NULL
        AND ledger.visible_in_version IS NOT NULL
        AND ledger.epoch <= %(version)s
        AND ledger.new_score = asked.score
    ORDER BY ledger.change_no DESC
    LIMIT 1
) AS shown;
