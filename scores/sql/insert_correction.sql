-- Writes a correction or a void into the ledger.
-- Zero rows touched: another transaction was using its id, and it must be run again.
-- Unique index event_once_per_season.
INSERT INTO scores_ledger (
    namespace, epoch, kind_group, kind, accepted_at,
    event_id, player_id, score, score_version, achieved_at, keeps_time,
    void_event_id, corrects_event_id, reason, evidence, approved_by,
    outcome, receipt_score, receipt_version, visible_in_version, change_no,
    old_score, new_score, old_region, new_region, old_tie_key, new_tie_key
)
VALUES (
    %(namespace)s, %(epoch)s, 0, %(kind)s, %(accepted_at)s,
    %(event_id)s, %(player_id)s, %(score)s, %(score_version)s, %(achieved_at)s, %(keeps_time)s,
    %(void_event_id)s, %(corrects_event_id)s, %(reason)s, %(evidence)s, %(approved_by)s,
    %(outcome)s, %(receipt_score)s, %(receipt_version)s, %(visible)s, %(change_no)s,
    %(old_score)s, %(new_score)s, %(old_region)s, %(new_region)s, %(old_tie_key)s, %(new_tie_key)s
)
ON CONFLICT (namespace, kind_group, event_id) DO NOTHING;
