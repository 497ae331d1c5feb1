-- Finds the latest place in the fold that a decision of our own about some players has: a held
-- result that was let in, a correction, a void. The players' bests are locked by an earlier
-- statement; only decisions of our own have a revision, and a result that was let in has none.
-- Zero rows: nothing was decided about any of them. Index change_once_per_player, player by
-- player: the order keeps the planner to it while the table is small.
SELECT
    asked.player_id,
    decided.place[1] AS score_version,
    decided.place[2] AS revision
FROM unnest(%(player_ids)s::text[]) AS asked (player_id)
CROSS JOIN
    LATERAL (
        SELECT max(ARRAY[own.score_version, own.revision]) AS place
        FROM (
            SELECT
                ledger.score_version,
                ledger.revision::bigint AS revision
            FROM scores_ledger AS ledger
            WHERE
                ledger.namespace = %(namespace)s
                AND ledger.player_id = asked.player_id
                AND ledger.change_no IS NOT NULL
                AND (ledger.revision > 0 OR ledger.kind = 'release')
            ORDER BY ledger.change_no
        ) AS own
    ) AS decided
WHERE decided.place IS NOT NULL;
