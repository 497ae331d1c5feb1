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
        FROM (
            SELECT best.score
            FROM scores_best AS best
            WHERE
                best.namespace = %(namespace)s
                AND best.score IS NOT NULL
                AND best.epoch <= %(version)s
                AND (%(board)s = 0 OR best.region = %(board)s)
                AND ((-best.score), best.tie_key) >= (-asked.score, asked.tie_key)
                AND ((-best.score), best.tie_key) < (-asked.end_score, asked.end_tie_key)
            UNION ALL
            SELECT undone.score
            FROM (
                SELECT seal.epoch
                FROM seasons_seal AS seal
                WHERE seal.season_id = %(season_id)s AND seal.epoch > %(version)s
                UNION ALL
                SELECT opened.open_epoch
                FROM seasons_epoch AS opened
                WHERE opened.season_id = %(season_id)s
            ) AS later (epoch)
            CROSS JOIN LATERAL (
                SELECT undo.score
                FROM scores_undo AS undo
                WHERE
                    undo.namespace = %(namespace)s
                    AND undo.to_epoch = later.epoch
                    AND undo.from_epoch <= %(version)s
                    AND (%(board)s = 0 OR undo.region = %(board)s)
                    AND ((-undo.score), undo.tie_key) >= (-asked.score, asked.tie_key)
                    AND ((-undo.score), undo.tie_key) < (-asked.end_score, asked.end_tie_key)
                ORDER BY (-undo.score), undo.tie_key
            ) AS undone
        ) AS player
    ) AS shown
) AS counted ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
