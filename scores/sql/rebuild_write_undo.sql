-- Writes the undo of players with decisions, after what they had was deleted.
INSERT INTO scores_undo (
    namespace, player_id, from_epoch, to_epoch, score, tie_key, region
)
SELECT
    %(namespace)s,
    shown.player_id,
    shown.from_epoch,
    shown.to_epoch,
    shown.score,
    shown.tie_key,
    shown.region
FROM unnest(
    %(player_ids)s::text[],
    %(from_epochs)s::bigint[],
    %(to_epochs)s::bigint[],
    %(scores)s::integer[],
    %(tie_keys)s::bigint[],
    %(regions)s::smallint[]
) AS shown (player_id, from_epoch, to_epoch, score, tie_key, region);
