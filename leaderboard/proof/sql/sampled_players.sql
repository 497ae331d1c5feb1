-- Chooses players to ask the ranks of, and counts what these must be: the first, the last, the
-- most crowded scores, ends of buckets, any, and some who are on no board.
-- All players if there are few; of those on no board, however many, most come last. Two passes
-- over the folded ledger.
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
    SELECT
        unnest(ARRAY[min(player.player_id), max(player.player_id)]) AS player_id,
        player.score
    FROM proof_player AS player
    INNER JOIN chosen ON player.score = chosen.score
    GROUP BY player.score
    UNION
    (
        SELECT
            player.player_id,
            player.score
        FROM proof_player AS player
        WHERE random() * 100 < %(percent)s::float8 OR player.score IS NULL
        ORDER BY player.score IS NULL AND random() < 0.95, random()
        LIMIT 1050
    )
)

SELECT
    sampled.player_id,
    sampled.score,
    ranked.rank::bigint AS rank
FROM sampled
LEFT JOIN ranked ON sampled.score = ranked.score;
