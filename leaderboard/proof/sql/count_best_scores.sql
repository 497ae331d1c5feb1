-- Counts the players on each score, as the bests were at the version: a best not changed
-- since, else its undo row. One pass over the bests.
INSERT INTO proof_found_score (score, players, hash)
SELECT
    shown.score,
    count(*) AS players,
    sum(hashtextextended(shown.player_id, shown.score)) AS hash
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
GROUP BY shown.score;
