-- Reads which keys the players of a board had at one version and have at a later one, of all
-- who have events in the epochs between; by bests and undo, not by what the ledger says that
-- each event did. One row: scores and tie keys taken and those given, big-endian integers, one
-- player after the other.
SELECT
    coalesce(string_agg(int4send(moved.taken), ''::bytea), '') AS taken_scores,
    coalesce(
        string_agg(int8send(moved.taken_key), ''::bytea) FILTER (WHERE moved.taken IS NOT NULL), ''
    ) AS taken_tie_keys,
    coalesce(string_agg(int4send(moved.given), ''::bytea), '') AS given_scores,
    coalesce(
        string_agg(int8send(moved.given_key), ''::bytea) FILTER (WHERE moved.given IS NOT NULL), ''
    ) AS given_tie_keys
FROM (
    SELECT
        CASE
            WHEN best.epoch > %(previous)s THEN earlier.score
            WHEN %(board)s = 0 OR best.region = %(board)s THEN best.score
        END AS taken,
        CASE WHEN best.epoch > %(previous)s THEN earlier.tie_key ELSE best.tie_key END
            AS taken_key,
        CASE
            WHEN best.epoch > %(version)s THEN later.score
            WHEN %(board)s = 0 OR best.region = %(board)s THEN best.score
        END AS given,
        CASE WHEN best.epoch > %(version)s THEN later.tie_key ELSE best.tie_key END
            AS given_key
    FROM (
        SELECT DISTINCT ledger.player_id
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.epoch > %(previous)s
            AND ledger.epoch <= %(version)s
            AND ledger.change_no IS NOT NULL
    ) AS changed
    INNER JOIN scores_best AS best
        ON
            best.namespace = %(namespace)s
            AND changed.player_id = best.player_id
    LEFT JOIN LATERAL (
        SELECT
            undo.score,
            undo.tie_key
        FROM scores_undo AS undo
        WHERE
            best.epoch > %(previous)s
            AND undo.namespace = %(namespace)s
            AND undo.player_id = changed.player_id
            AND undo.to_epoch > %(previous)s
            AND undo.from_epoch <= %(previous)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
        LIMIT 1
    ) AS earlier ON TRUE
    LEFT JOIN LATERAL (
        SELECT
            undo.score,
            undo.tie_key
        FROM scores_undo AS undo
        WHERE
            best.epoch > %(version)s
            AND undo.namespace = %(namespace)s
            AND undo.player_id = changed.player_id
            AND undo.to_epoch > %(version)s
            AND undo.from_epoch <= %(version)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
        LIMIT 1
    ) AS later ON TRUE
) AS moved;
