-- Finds one held result, and what was decided on it. Zero rows: no such result was held.
-- No locks. Index event_once_per_season, twice.
SELECT
    held.id,
    held.event_id,
    held.match_id,
    held.player_id,
    held.score,
    held.score_version,
    held.completed_at,
    held.display,
    held.accepted_at,
    (
        SELECT decided.kind
        FROM scores_ledger AS decided
        WHERE
            decided.namespace = %(namespace)s
            AND decided.kind_group = 1
            AND decided.event_id = held.event_id
        LIMIT 1
    ) AS decision
FROM scores_ledger AS held
WHERE
    held.namespace = %(namespace)s
    AND held.kind_group = 0
    AND held.event_id = %(event_id)s
    AND held.outcome = 'late_held';
