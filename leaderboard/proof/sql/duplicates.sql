-- Finds players who stand on the board of the version more than once: several bests, several
-- undo rows, or one of each. Zero rows: nobody. Asked for only if the counts differ.
SELECT
    shown.player_id AS place,
    'once' AS expected,
    count(*) || ' times' AS found,
    count(*) OVER () AS differing
FROM (
    SELECT best.player_id
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND best.epoch <= %(version)s
    UNION ALL
    SELECT undo.player_id
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.from_epoch <= %(version)s
        AND undo.to_epoch > %(version)s
) AS shown
GROUP BY shown.player_id
HAVING count(*) > 1
ORDER BY shown.player_id
LIMIT %(most)s;
