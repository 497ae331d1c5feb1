-- Counts the players on each score of a board at a version: a best not changed since, else its
-- undo row. Reads all of both. One row: score and players of each, four bytes each, in no
-- order.
SELECT
    coalesce(
        string_agg(int4send(counted.score) || int4send(counted.players::integer), ''::bytea), ''
    ) AS counts
FROM (
    SELECT
        shown.score,
        count(*) AS players
    FROM (
        SELECT best.score
        FROM scores_best AS best
        WHERE
            best.namespace = %(namespace)s
            AND best.score IS NOT NULL
            AND best.epoch <= %(version)s
            AND (%(board)s = 0 OR best.region = %(board)s)
        UNION ALL
        SELECT undo.score
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.from_epoch <= %(version)s
            AND undo.to_epoch > %(version)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
    ) AS shown
    GROUP BY shown.score
) AS counted;
