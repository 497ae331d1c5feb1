-- Compares the stored top of a board at the version with its first hundred players by the
-- ledger: who, score and rank of each place. Zero rows: they agree. Index top_once_per_version.
SELECT
    'place ' || coalesce(expected.place, stored.place) AS place,
    CASE
        WHEN expected.place IS NULL THEN 'none'
        ELSE format(
            'player %%s, score %%s, tie key %%s, rank %%s',
            expected.player_id,
            expected.score,
            expected.tie_key,
            expected.rank
        )
    END AS expected,
    CASE
        WHEN stored.place IS NULL THEN 'none'
        ELSE format(
            'player %%s, score %%s, tie key %%s, rank %%s',
            stored.player_id,
            stored.score,
            stored.tie_key,
            stored.rank
        )
    END AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        first_ones.player_id,
        first_ones.score,
        first_ones.tie_key,
        rank() OVER (ORDER BY first_ones.score DESC, first_ones.tie_key) AS rank,
        row_number() OVER (
            ORDER BY first_ones.score DESC, first_ones.tie_key, first_ones.player_id
        ) AS place
    FROM (
        SELECT
            player.player_id,
            player.score,
            player.tie_key
        FROM proof_player AS player
        WHERE player.score IS NOT NULL AND (%(board)s = 0 OR player.region = %(board)s)
        ORDER BY player.score DESC, player.tie_key, player.player_id
        LIMIT 100
    ) AS first_ones
) AS expected
FULL JOIN (
    SELECT told.*
    FROM leaderboard_top AS top
    CROSS JOIN
        LATERAL unnest(
            top.player_ids, top.scores, top.tie_keys, top.ranks
        ) WITH ORDINALITY AS told (player_id, score, tie_key, rank, place)
    WHERE
        top.namespace = %(namespace)s
        AND top.version = %(version)s
        AND top.board = %(board)s
) AS stored ON expected.place = stored.place
WHERE
    expected.player_id IS DISTINCT FROM stored.player_id
    OR expected.score IS DISTINCT FROM stored.score
    OR expected.rank IS DISTINCT FROM stored.rank
    OR expected.tie_key IS DISTINCT FROM stored.tie_key
ORDER BY coalesce(expected.place, stored.place)
LIMIT %(most)s;
