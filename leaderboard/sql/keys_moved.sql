-- Reads which keys the ledger rows of some epochs took from players, and which they gave, and
-- on which region's board, 0 for none: big-endian integers, one row after the other. It
-- telescopes, so the order of the changes does not matter. Always one row.
-- Index ledger_in_epoch_order: the order keeps the planner to it while the table is small.
SELECT
    coalesce(
        string_agg(int4send(ledger.old_score), '') FILTER (WHERE ledger.old_score IS NOT NULL), ''
    ) AS taken_scores,
    coalesce(
        string_agg(int8send(ledger.old_tie_key), '') FILTER (WHERE ledger.old_score IS NOT NULL),
        ''
    ) AS taken_tie_keys,
    coalesce(
        string_agg(int2send(coalesce(ledger.old_region, 0::smallint)), '') FILTER (
            WHERE ledger.old_score IS NOT NULL
        ),
        ''
    ) AS taken_regions,
    coalesce(
        string_agg(int4send(ledger.new_score), '') FILTER (WHERE ledger.new_score IS NOT NULL), ''
    ) AS given_scores,
    coalesce(
        string_agg(int8send(ledger.new_tie_key), '') FILTER (WHERE ledger.new_score IS NOT NULL),
        ''
    ) AS given_tie_keys,
    coalesce(
        string_agg(int2send(coalesce(ledger.new_region, 0::smallint)), '') FILTER (
            WHERE ledger.new_score IS NOT NULL
        ),
        ''
    ) AS given_regions
FROM (
    SELECT
        accepted.old_score,
        accepted.new_score,
        accepted.old_tie_key,
        accepted.new_tie_key,
        accepted.old_region,
        accepted.new_region
    FROM scores_ledger AS accepted
    WHERE
        accepted.namespace = %(namespace)s
        AND accepted.epoch > %(after_epoch)s
        AND accepted.epoch <= %(to_epoch)s
        AND accepted.visible_in_version IS NOT NULL
    ORDER BY accepted.epoch, accepted.id
) AS ledger;
