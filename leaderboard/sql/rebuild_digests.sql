-- Sums up each bucket of a counted board at a version, from bests and undo: players, scores,
-- and a hash over who has which score. Reads all of both. A row a bucket that has players.
SELECT
    (shown.score - %(lower_score)s) / %(bucket_width)s AS bucket,
    count(*) AS players,
    sum(shown.score) AS score_sum,
    bit_xor(hashtextextended(shown.player_id, shown.score)) AS hash
FROM (
    SELECT
        best.player_id,
        best.score
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND best.epoch <= %(version)s
    UNION ALL
    SELECT
        undo.player_id,
        undo.score
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.from_epoch <= %(version)s
        AND undo.to_epoch > %(version)s
) AS shown
GROUP BY (shown.score - %(lower_score)s) / %(bucket_width)s
ORDER BY (shown.score - %(lower_score)s) / %(bucket_width)s;
