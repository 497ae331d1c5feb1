-- Chooses players to ask the ranks of, and counts what these must be: the first, the last, the
-- most crowded scores, ends of buckets, any, and some who are on no board.
-- Always all players if there are few.
WITH ranked AS MATERIALIZED (
    SELECT
        counted.score,
        counted.players,
        1 + coalesce(sum(counted.players) OVER (
            ORDER BY counted.score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS rank
    FROM proof_score AS counted
),

chosen AS MATERIALIZED (
    (
        SELECT ranked.score
        FROM ranked
        ORDER BY ranked.score DESC
        LIMIT 50
    )
    UNION
    (
        SELECT ranked.score
        FROM ranked
        ORDER BY ranked.score
        LIMIT 50
    )
    UNION
    (
        SELECT ranked.score
        FROM ranked
        ORDER BY ranked.players DESC
        LIMIT 50
    )
    UNION
    (
        SELECT unnest(ARRAY[min(ranked.score), max(ranked.score)])
        FROM ranked
        GROUP BY (ranked.score - %(lower_score)s) / %(bucket_width)s
        ORDER BY random()
        LIMIT 300
    )
),

sampled AS (
    SELECT unnest(ARRAY[min(player.player_id), max(player.player_id)]) AS player_id
    FROM proof_player AS player
    INNER JOIN chosen ON player.score = chosen.score
    GROUP BY player.score
    UNION
    (
        SELECT player.player_id
        FROM proof_player AS player TABLESAMPLE BERNOULLI (%(percent)s)
        ORDER BY random()
        LIMIT 1000
    )
    UNION
    (
        SELECT player.player_id
        FROM proof_player AS player
        WHERE player.score IS NULL
        LIMIT 50
    )
)

SELECT
    player.player_id,
    player.score,
    ranked.rank::bigint AS rank
FROM proof_player AS player
INNER JOIN sampled ON player.player_id = sampled.player_id
LEFT JOIN ranked ON player.score = ranked.score;
