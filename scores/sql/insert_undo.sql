-- Keeps what bests showed before this epoch changed them, for the versions before it.
-- One row for a player and epoch: a second change in the same epoch needs none.
INSERT INTO scores_undo (
    namespace, player_id, from_epoch, to_epoch, score, tie_key, region
)
SELECT
    %(namespace)s,
    shown.player_id,
    shown.from_epoch,
    %(epoch)s,
    shown.score,
    shown.tie_key,
    shown.region
FROM unnest(
    %(player_ids)s::text[],
    %(from_epochs)s::bigint[],
    %(scores)s::integer[],
    %(tie_keys)s::bigint[],
    %(regions)s::smallint[]
) AS shown (player_id, from_epoch, score, tie_key, region);
