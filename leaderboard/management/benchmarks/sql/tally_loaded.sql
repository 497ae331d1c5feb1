-- Tallies loaded ledger rows, a thousand at a time, as the batches would have been that
-- brought them. The hash is that of `insert_tally`.
INSERT INTO scores_tally (
    namespace, epoch, events, changes, entered, left_board, score_delta, hash
)
SELECT
    %(namespace)s,
    ledger.epoch,
    count(*),
    count(*),
    count(*),
    0,
    sum(ledger.new_score),
    sum(
        hashtextextended(
            ledger.player_id || ' ' || ledger.change_no::text, -4294967296 + ledger.new_score
        )::numeric
    )
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.epoch = %(epoch)s
GROUP BY ledger.epoch, ledger.id / 1000;
