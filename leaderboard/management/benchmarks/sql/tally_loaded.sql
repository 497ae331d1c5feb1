-- Tallies loaded ledger rows, a thousand at a time, as the batches would have been that
-- brought them. The hash is that of `insert_tally`.
INSERT INTO scores_tally (
    namespace, epoch, events, changes, entered, left_board, score_delta, hash
)
SELECT
    %(namespace)s,
    ledger.epoch,
    count(*),
    count(ledger.visible_in_version),
    count(*) FILTER (WHERE ledger.old_score IS NULL),
    0,
    sum(ledger.new_score - coalesce(ledger.old_score, 0)),
    coalesce(sum(
        hashtextextended(
            ledger.player_id || ' ' || ledger.change_no::text,
            coalesce(ledger.old_score, -1) * 4294967296 + ledger.new_score
        )::numeric
    ) FILTER (WHERE ledger.visible_in_version IS NOT NULL), 0)
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.epoch = %(epoch)s
GROUP BY ledger.epoch, ledger.id / 1000;
