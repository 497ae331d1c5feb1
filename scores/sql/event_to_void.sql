-- Finds the result or correction with an id, among the match service's events and our own.
-- Zero rows: there is none. No locks. Unique index event_once_per_season, a look-up a group.
SELECT
    found.event_id,
    found.kind,
    found.player_id,
    found.score
FROM unnest(ARRAY[0, 1]::smallint[]) AS asked (kind_group)
CROSS JOIN
    LATERAL (
        SELECT
            ledger.event_id,
            ledger.kind,
            ledger.player_id,
            ledger.score
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(namespace)s
            AND ledger.kind_group = asked.kind_group
            AND ledger.event_id = %(event_id)s
        LIMIT 1
    ) AS found
WHERE found.kind IN ('result', 'correction')
ORDER BY asked.kind_group
LIMIT 1;
