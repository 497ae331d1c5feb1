-- Counts the players of each bucket of the counted board, as the bests were at the version (a
-- best not changed since, else its undo row), with a hash over who has which key. Zero rows:
-- nobody is on the board. One pass over the bests.
SELECT
    (shown.score - %(lower_score)s) / %(bucket_width)s AS bucket,
    count(*) AS players,
    sum(
        hashtextextended(shown.player_id, hashint8extended(shown.tie_key, shown.score))
    ) AS hash
FROM (
    SELECT
        best.player_id,
        best.score,
        best.tie_key
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND best.epoch <= %(version)s
    UNION ALL
    SELECT
        undo.player_id,
        undo.score,
        undo.tie_key
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.from_epoch <= %(version)s
        AND undo.to_epoch > %(version)s
) AS shown
GROUP BY (shown.score - %(lower_score)s) / %(bucket_width)s;
