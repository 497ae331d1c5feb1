-- Reads the scores that the players of some buckets of an ordered board have at a version, in no
-- order: big-endian integers, one after the other. Who asks knows where each bucket begins, and
-- before which key it ends.
-- Zero rows: the version is not here. No bucket: none was asked for.
-- Indexes version_once_per_namespace and, bucket by bucket, best_in_region_order, or that of all
-- players, and undo_in_rank_order: a range scan, and one for each epoch after the version, of
-- which seal_once_per_epoch knows. No locks.
SELECT
    counted.bucket,
    counted.scores
FROM leaderboard_version AS version
LEFT JOIN LATERAL (
    SELECT
        asked.bucket,
        shown.scores
    FROM
        unnest(
            %(buckets)s::integer[],
            %(scores)s::integer[],
            %(tie_keys)s::bigint[],
            %(end_scores)s::integer[],
            %(end_tie_keys)s::bigint[]
        ) AS asked (bucket, score, tie_key, end_score, end_tie_key)
    CROSS JOIN LATERAL (
        SELECT coalesce(string_agg(int4send(player.score), ''), '') AS scores
        FROM %(keys_in_range)s AS player
    ) AS shown
) AS counted ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
