-- Reads the events of the next listed players with decisions, each player's in the order in
-- which they were applied. Zero rows: there are no more.
SELECT
    ledger.player_id,
    ledger.epoch,
    ledger.kind_group,
    ledger.new_region,
    ledger.event_id,
    ledger.kind,
    ledger.score,
    ledger.completed_at,
    ledger.achieved_at,
    ledger.keeps_time,
    ledger.void_event_id,
    ledger.score_version,
    ledger.revision,
    ledger.change_no
FROM (
    SELECT changed.player_id
    FROM scores_rebuild_changed AS changed
    WHERE changed.decided AND changed.player_id > %(after_player)s
    ORDER BY changed.player_id
    LIMIT %(limit)s
) AS decided
CROSS JOIN
    LATERAL (
        SELECT accepted.*
        FROM scores_ledger AS accepted
        WHERE
            accepted.namespace = %(ledger_namespace)s
            AND accepted.player_id = decided.player_id
            AND accepted.change_no IS NOT NULL
            AND accepted.epoch <= %(through)s
        ORDER BY accepted.change_no
    ) AS ledger
ORDER BY ledger.player_id, ledger.change_no;
