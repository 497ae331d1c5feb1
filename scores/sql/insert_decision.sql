-- Writes one decision into the ledger: a correction, a void, or what became of a held result.
-- The hash is of the row's content in a fixed order; verify computes it again.
-- Zero rows touched: another transaction was using its id, and it must be run again.
-- Unique index event_once_per_season.
INSERT INTO scores_ledger (
    namespace,
    epoch,
    kind_group,
    kind,
    accepted_at,
    event_id,
    match_id,
    player_id,
    score,
    score_version,
    revision,
    completed_at,
    achieved_at,
    keeps_time,
    void_event_id,
    corrects_event_id,
    reason,
    evidence,
    approved_by,
    outcome,
    receipt_score,
    receipt_version,
    visible_in_version,
    change_no,
    old_score,
    new_score,
    old_region,
    new_region,
    old_tie_key,
    new_tie_key,
    row_hash
)
SELECT
    %(namespace)s,
    decision.*,
    hash_record_extended(decision, 0)
FROM (
    SELECT
        %(epoch)s::bigint AS epoch,
        %(kind_group)s::smallint AS kind_group,
        %(kind)s::text AS kind,
        %(accepted_at)s::timestamptz AS accepted_at,
        %(event_id)s::text AS event_id,
        %(match_id)s::text AS match_id,
        %(player_id)s::text AS player_id,
        %(score)s::integer AS score,
        %(score_version)s::bigint AS score_version,
        %(revision)s::integer AS revision,
        %(completed_at)s::timestamptz AS completed_at,
        %(achieved_at)s::timestamptz AS achieved_at,
        %(keeps_time)s::boolean AS keeps_time,
        %(void_event_id)s::text AS void_event_id,
        %(corrects_event_id)s::text AS corrects_event_id,
        %(reason)s::text AS reason,
        %(evidence)s::text AS evidence,
        %(approved_by)s::text AS approved_by,
        %(outcome)s::text AS outcome,
        %(receipt_score)s::integer AS receipt_score,
        %(receipt_version)s::bigint AS receipt_version,
        %(visible_in_version)s::bigint AS visible_in_version,
        %(change_no)s::bigint AS change_no,
        %(old_score)s::integer AS old_score,
        %(new_score)s::integer AS new_score,
        %(old_region)s::smallint AS old_region,
        %(new_region)s::smallint AS new_region,
        %(old_tie_key)s::bigint AS old_tie_key,
        %(new_tie_key)s::bigint AS new_tie_key
) AS decision
ON CONFLICT (namespace, kind_group, event_id) DO NOTHING;
