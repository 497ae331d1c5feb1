-- Reads the held results of a season that nobody has decided on, oldest first, after an id.
-- Zero rows: none. No locks. Index held_in_order, and for each a look-up by
-- event_once_per_season: what was decided has an event of our own with the same id.
SELECT
    held.id,
    held.event_id,
    held.match_id,
    held.player_id,
    held.score,
    held.score_version,
    held.completed_at,
    held.display,
    held.accepted_at
FROM scores_ledger AS held
WHERE
    held.namespace = %(namespace)s
    AND held.outcome = 'late_held'
    AND held.id > %(after)s
    AND NOT EXISTS (
        SELECT FROM scores_ledger AS decided
        WHERE
            decided.namespace = %(namespace)s
            AND decided.kind_group = 1
            AND decided.event_id = held.event_id
    )
ORDER BY held.id
LIMIT %(limit)s;
