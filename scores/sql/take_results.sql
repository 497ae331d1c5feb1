-- Folds one result a player into the bests, as `apply_results` does, and writes in the same
-- trip what follows from it: the ledger's rows, sorted by event id, and the undo of what boards
-- showed before this epoch.
-- A player that does not come back had an equal or newer version: that result is stale, and has
-- no row in the ledger yet. Of one that comes back, the change is visible if a board shows
-- something else than before.
-- The hash is of the row's content in a fixed order; verify computes it again.
-- Locks as `apply_results`, by the unique index best_once_per_player. An id that is in the ledger
-- already violates the key of events there, and the whole batch must be run again.
WITH applied AS %(applied)s,

taken AS MATERIALIZED (
    SELECT
        applied.*,
        nextval('scores_ledger_id') AS id,
        sent.event_id,
        sent.match_id,
        sent.sent_score,
        sent.score_version,
        sent.completed_at,
        sent.display,
        coalesce(applied.score, applied.hidden_score) AS best,
        CASE
            WHEN (
                coalesce(applied.score, applied.hidden_score)
                IS DISTINCT FROM
                coalesce(applied.previous_score, applied.previous_hidden_score)
            ) THEN 'improved'
            ELSE 'not_improved'
        END AS outcome,
        CASE
            WHEN (
                (applied.score, applied.tie_key, applied.region)
                IS DISTINCT FROM
                (applied.previous_score, applied.previous_tie_key, applied.previous_region)
                AND (applied.score IS NOT NULL OR applied.previous_score IS NOT NULL)
            ) THEN %(epoch)s::bigint
        END AS visible_in_version
    FROM
        unnest(
            %(event_ids)s::text[],
            %(match_ids)s::text[],
            %(player_ids)s::text[],
            %(scores)s::integer[],
            %(score_versions)s::bigint[],
            %(completed_ats)s::timestamptz[],
            %(displays)s::text[]
        )
            AS sent (
                event_id, match_id, player_id, sent_score, score_version, completed_at, display
            )
    INNER JOIN applied ON sent.player_id = applied.player_id
),

recorded AS (
    INSERT INTO scores_ledger (
        id, namespace, epoch, kind_group, kind, accepted_at,
        event_id, match_id, player_id, score, score_version, completed_at, display,
        outcome, receipt_score, receipt_version, visible_in_version, change_no,
        old_score, new_score, old_region, new_region, old_tie_key, new_tie_key, row_hash
    )
    SELECT
        taken.id,
        %(ledger_namespace)s,
        %(epoch)s,
        0,
        'result',
        %(accepted_at)s,
        taken.event_id,
        taken.match_id,
        taken.player_id,
        taken.sent_score,
        taken.score_version,
        taken.completed_at,
        taken.display,
        taken.outcome,
        taken.best,
        taken.score_version AS receipt_version,
        taken.visible_in_version,
        taken.change_no,
        taken.previous_score,
        taken.score,
        taken.previous_region,
        taken.region,
        taken.previous_tie_key,
        taken.tie_key,
        hash_record_extended(
            row(
                %(epoch)s::bigint,
                0::smallint,
                'result'::text,
                %(accepted_at)s::timestamptz,
                taken.event_id,
                taken.match_id,
                taken.player_id,
                taken.sent_score,
                taken.score_version,
                0,
                taken.completed_at,
                NULL::timestamptz,
                FALSE,
                NULL::text,
                NULL::text,
                NULL::text,
                NULL::text,
                NULL::text,
                taken.display,
                NULL::text,
                taken.outcome,
                taken.best,
                taken.score_version,
                taken.visible_in_version,
                taken.change_no,
                taken.previous_score,
                taken.score,
                taken.previous_region,
                taken.region,
                taken.previous_tie_key,
                taken.tie_key
            ),
            0
        )
    FROM taken
    ORDER BY taken.event_id
),

undone AS (
    INSERT INTO scores_undo (
        namespace, player_id, from_epoch, to_epoch, score, tie_key, region
    )
    SELECT
        %(namespace)s,
        taken.player_id,
        taken.previous_epoch,
        %(epoch)s,
        taken.previous_score,
        taken.previous_tie_key,
        taken.previous_region
    FROM taken
    WHERE
        taken.visible_in_version IS NOT NULL
        AND taken.previous_score IS NOT NULL
        AND taken.previous_epoch < %(epoch)s
)

SELECT
    taken.player_id,
    taken.outcome,
    taken.best,
    taken.visible_in_version,
    taken.change_no,
    taken.previous_score,
    taken.score
FROM taken;
