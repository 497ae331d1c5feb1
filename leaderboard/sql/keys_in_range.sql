-- noqa: disable=RF01
-- Part of a statement about ranges of keys of a board, each in a row `asked`, from its first key
-- to before its end: the keys of the players who stood there at the version, in no order.
-- Zero rows: nobody did. A range scan in the order of the bests, of all players or of the region,
-- and one in that of the undo for each epoch after the version.
SELECT
    best.score,
    best.tie_key
FROM scores_best AS best
WHERE
    best.namespace = %(namespace)s
    AND best.score IS NOT NULL
    AND best.epoch <= %(version)s
    AND (%(board)s = 0 OR best.region = %(board)s)
    AND ((-best.score), best.tie_key) >= (-asked.score, asked.tie_key)
    AND ((-best.score), best.tie_key) < (-asked.end_score, asked.end_tie_key)
UNION ALL
SELECT
    undone.score,
    undone.tie_key
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
    SELECT
        undo.score,
        undo.tie_key
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch = later.epoch
        AND undo.from_epoch <= %(version)s
        AND (%(board)s = 0 OR undo.region = %(board)s)
        AND ((-undo.score), undo.tie_key) >= (-asked.score, asked.tie_key)
        AND ((-undo.score), undo.tie_key) < (-asked.end_score, asked.end_tie_key)
    ORDER BY (-undo.score), undo.tie_key
) AS undone;
