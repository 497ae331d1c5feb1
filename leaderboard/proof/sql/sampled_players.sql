-- Chooses players to ask the ranks of on a board, and what these must be: the first, the last,
-- the most crowded keys, ends of buckets, any, and some who are not on the board.
-- All players of the board if there are few. Passes over the folded ledger and the counted keys.
WITH chosen AS MATERIALIZED (
    (
        SELECT counted.above
        FROM proof_key AS counted
        ORDER BY counted.above
        LIMIT 50
    )
    UNION
    (
        SELECT counted.above
        FROM proof_key AS counted
        ORDER BY counted.above DESC
        LIMIT 50
    )
    UNION
    (
        SELECT counted.above
        FROM proof_key AS counted
        ORDER BY counted.players DESC
        LIMIT 50
    )
    UNION
    (
        SELECT unnest(ARRAY[min(counted.above), max(counted.above)])
        FROM proof_key AS counted
        GROUP BY counted.bucket
        ORDER BY random()
        LIMIT 300
    )
),

standing AS (
    SELECT
        player.player_id,
        player.score,
        player.tie_key
    FROM proof_player AS player
    WHERE player.score IS NOT NULL AND (%(board)s = 0 OR player.region = %(board)s)
),

sampled AS (
    SELECT
        unnest(ARRAY[min(standing.player_id), max(standing.player_id)]) AS player_id,
        standing.score,
        standing.tie_key
    FROM standing
    INNER JOIN proof_key AS counted
        ON standing.score = counted.score AND standing.tie_key = counted.tie_key
    INNER JOIN chosen ON counted.above = chosen.above
    GROUP BY standing.score, standing.tie_key
    UNION
    (
        SELECT
            standing.player_id,
            standing.score,
            standing.tie_key
        FROM standing
        WHERE random() * 100 < %(percent)s::float8
        ORDER BY random()
        LIMIT 1000
    )
    UNION
    (
        SELECT
            player.player_id,
            NULL AS score,
            NULL AS tie_key
        FROM proof_player AS player
        WHERE
            player.score IS NULL
            OR (%(board)s > 0 AND player.region IS DISTINCT FROM %(board)s)
        ORDER BY random()
        LIMIT 50
    )
)

SELECT
    sampled.player_id,
    sampled.score,
    1 + counted.above AS rank
FROM sampled
LEFT JOIN proof_key AS counted
    ON sampled.score = counted.score AND sampled.tie_key = counted.tie_key;
