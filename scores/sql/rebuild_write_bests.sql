-- Writes bests that were folded from events, where one is already or not.
INSERT INTO scores_best AS best (
    namespace, player_id, score, hidden_score, removed, tie_key, hidden_tie_key, region,
    score_version, revision, epoch, change_no
)
SELECT
    %(namespace)s,
    folded.player_id,
    folded.score,
    folded.hidden_score,
    folded.removed,
    folded.tie_key,
    folded.hidden_tie_key,
    folded.region,
    folded.score_version,
    folded.revision,
    folded.epoch,
    folded.change_no
FROM
    unnest(
        %(player_ids)s::text[],
        %(scores)s::integer[],
        %(hidden_scores)s::integer[],
        %(removed)s::boolean[],
        %(tie_keys)s::bigint[],
        %(hidden_tie_keys)s::bigint[],
        %(regions)s::smallint[],
        %(score_versions)s::bigint[],
        %(revisions)s::integer[],
        %(epochs)s::bigint[],
        %(change_nos)s::bigint[]
    )
        AS folded (
            player_id, score, hidden_score, removed, tie_key, hidden_tie_key, region,
            score_version, revision, epoch, change_no
        )
ON CONFLICT (namespace, player_id) DO UPDATE SET
    score = excluded.score,
    hidden_score = excluded.hidden_score,
    removed = excluded.removed,
    tie_key = excluded.tie_key,
    hidden_tie_key = excluded.hidden_tie_key,
    region = excluded.region,
    score_version = excluded.score_version,
    revision = excluded.revision,
    epoch = excluded.epoch,
    change_no = excluded.change_no;
