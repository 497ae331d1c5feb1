-- Asks whether something visible was accepted after an epoch. Always one row.
-- Index tally_in_epoch_order.
SELECT exists(
    SELECT FROM scores_tally AS tally
    WHERE
        tally.namespace = %(namespace)s
        AND tally.epoch > %(through)s
        AND tally.changes > 0
) AS changed;
