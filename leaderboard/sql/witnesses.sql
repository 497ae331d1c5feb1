-- Counts what the ledger and the tallies say of some epochs, a row for each side and epoch.
-- Zero rows: nothing was written. Indexes ledger_in_epoch_order and tally_in_epoch_order.
SELECT
    'ledger' AS witness,
    ledger.epoch,
    count(*) AS events,
    count(ledger.visible_in_version) AS changes,
    count(*) FILTER (
        WHERE ledger.old_score IS NULL AND ledger.new_score IS NOT NULL
    ) AS entered,
    count(*) FILTER (
        WHERE ledger.old_score IS NOT NULL AND ledger.new_score IS NULL
    ) AS left_board,
    coalesce(sum(
        coalesce(ledger.new_score, 0) - coalesce(ledger.old_score, 0)
    ), 0) AS score_delta,
    coalesce(sum(
        hashtextextended(
            ledger.player_id || ' ' || ledger.change_no::text,
            coalesce(ledger.old_score, -1) * 4294967296 + coalesce(ledger.new_score, -1)
        )::numeric
    ) FILTER (WHERE ledger.visible_in_version IS NOT NULL), 0) AS hash,
    sum(ledger.row_hash::numeric) AS row_hashes
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(namespace)s
    AND ledger.epoch > %(after_epoch)s
    AND ledger.epoch <= %(to_epoch)s
GROUP BY ledger.epoch
UNION ALL
SELECT
    'tally' AS witness,
    tally.epoch,
    sum(tally.events) AS events,
    sum(tally.changes) AS changes,
    sum(tally.entered) AS entered,
    sum(tally.left_board) AS left_board,
    sum(tally.score_delta) AS score_delta,
    sum(tally.hash) AS hash,
    NULL AS row_hashes
FROM scores_tally AS tally
WHERE
    tally.namespace = %(namespace)s
    AND tally.epoch > %(after_epoch)s
    AND tally.epoch <= %(to_epoch)s
GROUP BY tally.epoch;
