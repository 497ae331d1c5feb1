-- Makes the undo of listed players who have results only, for the versions from a base on: what
-- each epoch that raised the score found there.
INSERT INTO scores_undo (
    namespace, player_id, from_epoch, to_epoch, score, tie_key, region
)
SELECT
    %(namespace)s,
    step.player_id,
    step.from_epoch,
    step.to_epoch,
    step.score,
    0,
    NULL
FROM (
    SELECT
        raised.player_id,
        lag(raised.epoch) OVER in_order AS from_epoch,
        raised.epoch AS to_epoch,
        lag(raised.score) OVER in_order AS score
    FROM (
        SELECT
            folded.player_id,
            folded.epoch,
            max(folded.score) AS score
        FROM (
            SELECT
                changed.player_id,
                ledger.epoch,
                ledger.score,
                max(ledger.score) OVER (
                    PARTITION BY changed.player_id
                    ORDER BY ledger.change_no
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS before
            FROM scores_rebuild_changed AS changed
            INNER JOIN scores_ledger AS ledger ON changed.player_id = ledger.player_id
            WHERE
                NOT changed.decided
                AND ledger.namespace = %(ledger_namespace)s
                AND ledger.change_no IS NOT NULL
                AND ledger.epoch <= %(through)s
        ) AS folded
        WHERE folded.before IS NULL OR folded.score > folded.before
        GROUP BY folded.player_id, folded.epoch
    ) AS raised
    WINDOW in_order AS (PARTITION BY raised.player_id ORDER BY raised.epoch)
) AS step
WHERE step.to_epoch > %(base)s AND step.from_epoch IS NOT NULL;
