-- Counts what a batch did, from what its upserts returned, as a witness beside the ledger.
-- The hash is a sum over the changes, so that neither order nor grouping matters.
INSERT INTO scores_tally (
    namespace, epoch, events, changes, entered, left_board, score_delta, hash
)
SELECT
    %(namespace)s,
    %(epoch)s,
    %(events)s,
    count(*),
    count(*) FILTER (WHERE change.old_score IS NULL AND change.new_score IS NOT NULL),
    count(*) FILTER (WHERE change.old_score IS NOT NULL AND change.new_score IS NULL),
    coalesce(sum(coalesce(change.new_score, 0) - coalesce(change.old_score, 0)), 0),
    coalesce(sum(
        hashtextextended(
            change.player_id || ' ' || change.change_no::text,
            coalesce(change.old_score, -1) * 4294967296 + coalesce(change.new_score, -1)
        )::numeric
    ), 0)
FROM unnest(
    %(player_ids)s::text[],
    %(change_nos)s::bigint[],
    %(old_scores)s::integer[],
    %(new_scores)s::integer[]
) AS change (player_id, change_no, old_score, new_score);
