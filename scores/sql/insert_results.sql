-- Writes results into the ledger, sorted by event id; ids follow the order given, which is
-- the order in which they were applied.
-- The hash is of the row's content in a fixed order; verify computes it again.
-- Fewer rows than events come back: another transaction was using one of the ids, and the
-- whole batch must be run again. Unique index event_once_per_season.
INSERT INTO scores_ledger (
    id, namespace, epoch, kind_group, kind, accepted_at,
    event_id, match_id, player_id, score, score_version, completed_at, display, moved_to,
    outcome, receipt_score, receipt_version, visible_in_version, change_no,
    old_score, new_score, old_region, new_region, old_tie_key, new_tie_key, row_hash
)
SELECT
    result.id,
    %(namespace)s,
    %(epoch)s,
    0,
    'result',
    %(accepted_at)s,
    result.event_id,
    result.match_id,
    result.player_id,
    result.score,
    result.score_version,
    result.completed_at,
    result.display,
    result.moved_to,
    result.outcome,
    result.receipt_score,
    result.receipt_version,
    result.visible_in_version,
    result.change_no,
    result.old_score,
    result.new_score,
    result.old_region,
    result.new_region,
    result.old_tie_key,
    result.new_tie_key,
    hash_record_extended(
        row(
            %(epoch)s::bigint,
            0::smallint,
            'result'::text,
            %(accepted_at)s::timestamptz,
            result.event_id,
            result.match_id,
            result.player_id,
            result.score,
            result.score_version,
            0,
            result.completed_at,
            NULL::timestamptz,
            FALSE,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            result.display,
            result.moved_to,
            result.outcome,
            result.receipt_score,
            result.receipt_version,
            result.visible_in_version,
            result.change_no,
            result.old_score,
            result.new_score,
            result.old_region,
            result.new_region,
            result.old_tie_key,
            result.new_tie_key
        ),
        0
    )
FROM (
    SELECT
        applied.*,
        nextval('scores_ledger_id') AS id
    FROM unnest(
        %(event_ids)s::text[],
        %(match_ids)s::text[],
        %(player_ids)s::text[],
        %(scores)s::integer[],
        %(score_versions)s::bigint[],
        %(completed_ats)s::timestamptz[],
        %(displays)s::text[],
        %(moved_to)s::text[],
        %(outcomes)s::text[],
        %(receipt_scores)s::integer[],
        %(receipt_versions)s::bigint[],
        %(visible)s::bigint[],
        %(change_nos)s::bigint[],
        %(old_scores)s::integer[],
        %(new_scores)s::integer[],
        %(old_regions)s::smallint[],
        %(new_regions)s::smallint[],
        %(old_tie_keys)s::bigint[],
        %(new_tie_keys)s::bigint[]
    ) AS applied (
        event_id, match_id, player_id, score, score_version, completed_at, display, moved_to,
        outcome, receipt_score, receipt_version, visible_in_version, change_no,
        old_score, new_score, old_region, new_region, old_tie_key, new_tie_key
    )
) AS result
ORDER BY result.event_id
ON CONFLICT (namespace, kind_group, event_id) DO NOTHING;
