-- Lists the players who have events of some epochs, and whether decisions are among all their
-- events; a change of region is none. Zero rows: nobody has. By the index of epochs and that of
-- players.
INSERT INTO scores_rebuild_changed (player_id, decided)
SELECT
    changed.player_id,
    exists(
        SELECT
        FROM scores_ledger AS earlier
        WHERE
            earlier.namespace = %(ledger_namespace)s
            AND earlier.player_id = changed.player_id
            AND earlier.change_no IS NOT NULL
            AND earlier.epoch <= %(through)s
            AND earlier.kind NOT IN ('result', 'region')
    ) AS decided
FROM (
    SELECT DISTINCT ledger.player_id
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(ledger_namespace)s
        AND ledger.epoch > %(after_epoch)s
        AND ledger.epoch <= %(through)s
        AND ledger.change_no IS NOT NULL
) AS changed;
