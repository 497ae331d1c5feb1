-- Writes changes of region into the ledger, as events of our own: a row a best that moved.
-- The hash is of the row's content in a fixed order; verify computes it again.
INSERT INTO scores_ledger (
    namespace, epoch, kind_group, kind, accepted_at,
    event_id, player_id, score_version, outcome, visible_in_version, change_no,
    old_score, new_score, old_region, new_region, old_tie_key, new_tie_key, row_hash
)
SELECT
    %(namespace)s,
    %(epoch)s,
    1,
    'region',
    %(accepted_at)s,
    moved.event_id,
    moved.player_id,
    moved.score_version,
    'moved',
    moved.visible_in_version,
    moved.change_no,
    moved.score AS old_score,
    moved.score AS new_score,
    moved.old_region,
    moved.new_region,
    moved.tie_key AS old_tie_key,
    moved.tie_key AS new_tie_key,
    hash_record_extended(
        row(
            %(epoch)s::bigint,
            1::smallint,
            'region'::text,
            %(accepted_at)s::timestamptz,
            moved.event_id,
            NULL::text,
            moved.player_id,
            NULL::integer,
            moved.score_version,
            0,
            NULL::timestamptz,
            NULL::timestamptz,
            FALSE,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            NULL::text,
            'moved'::text,
            NULL::integer,
            NULL::bigint,
            moved.visible_in_version,
            moved.change_no,
            moved.score,
            moved.score,
            moved.old_region,
            moved.new_region,
            moved.tie_key,
            moved.tie_key
        ),
        0
    )
FROM (
    SELECT
        'region-' || gen_random_uuid()::text AS event_id,
        given.*
    FROM unnest(
        %(player_ids)s::text[],
        %(score_versions)s::bigint[],
        %(visible)s::bigint[],
        %(change_nos)s::bigint[],
        %(scores)s::integer[],
        %(tie_keys)s::bigint[],
        %(old_regions)s::smallint[],
        %(new_regions)s::smallint[]
    ) AS given (
        player_id, score_version, visible_in_version, change_no, score, tie_key,
        old_region, new_region
    )
) AS moved;
