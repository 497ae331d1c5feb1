-- Reads the players after a place of the display order at a version, up to `limit` and one
-- more, which tells whether there is another page; with the rank of the highest row and how
-- many are tied with it; the other ranks follow.
-- Zero rows: the version is not here. No player_id: nobody stands there.
-- A range scan of best_in_rank_order, or that of the region, that begins at the place,
-- however deep it lies, and for every epoch after the version one of undo_in_rank_order, from
-- the place to where those bests end: without that end each epoch would give a whole page.
-- Look-ups by version_once_per_namespace, seal_once_per_epoch, prefix_once_per_version and
-- bucket_once_per_version.
WITH asked AS MATERIALIZED (
    SELECT
        version.number,
        version.sealed_at,
        version.replaced_at,
        version.members,
        %(board_present)s AS boards_present
    FROM leaderboard_version AS version
    WHERE
        version.namespace = %(namespace)s
        AND version.number = %(version)s
),

later AS MATERIALIZED (
    SELECT seal.epoch
    FROM seasons_seal AS seal
    WHERE seal.season_id = %(season_id)s AND seal.epoch > %(version)s
    UNION ALL
    SELECT opened.open_epoch
    FROM seasons_epoch AS opened
    WHERE opened.season_id = %(season_id)s
),

bests AS MATERIALIZED (
    SELECT
        best.player_id,
        best.score,
        best.tie_key
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.score IS NOT NULL
        AND best.epoch <= %(version)s
        AND (%(board)s = 0 OR best.region = %(board)s)
        AND ((-best.score), best.tie_key, best.player_id)
        > (%(merit)s::integer, %(tie_key)s::bigint, %(player_id)s)
    ORDER BY (-best.score), best.tie_key, best.player_id
    LIMIT %(limit)s + 1
),

last_best AS MATERIALIZED (
    SELECT
        (-bests.score) AS merit,
        bests.tie_key,
        bests.player_id
    FROM bests
    ORDER BY (-bests.score), bests.tie_key, bests.player_id
    LIMIT 1 OFFSET %(limit)s
),

shown AS MATERIALIZED (
    SELECT
        candidate.player_id,
        candidate.score,
        candidate.tie_key
    FROM (
        SELECT
            bests.player_id,
            bests.score,
            bests.tie_key
        FROM bests
        UNION ALL
        SELECT
            undone.player_id,
            undone.score,
            undone.tie_key
        FROM later
        CROSS JOIN LATERAL (
            SELECT
                undo.player_id,
                undo.score,
                undo.tie_key
            FROM scores_undo AS undo
            WHERE
                undo.namespace = %(namespace)s
                AND undo.to_epoch = later.epoch
                AND undo.from_epoch <= %(version)s
                AND (%(board)s = 0 OR undo.region = %(board)s)
                AND ((-undo.score), undo.tie_key, undo.player_id)
                > (%(merit)s::integer, %(tie_key)s::bigint, %(player_id)s)
                AND ((-undo.score), undo.tie_key, undo.player_id)
                <= (
                    coalesce((SELECT last_best.merit FROM last_best), 2147483647),
                    coalesce((SELECT last_best.tie_key FROM last_best), 0),
                    coalesce((SELECT last_best.player_id FROM last_best), '')
                )
            ORDER BY (-undo.score), undo.tie_key, undo.player_id
            LIMIT %(limit)s + 1
        ) AS undone
    ) AS candidate
    ORDER BY (-candidate.score), candidate.tie_key, candidate.player_id
    LIMIT %(limit)s + 1
),

placed AS (
    SELECT
        ranked.rank,
        ranked.tied
    FROM (
        SELECT
            shown.score,
            shown.tie_key
        FROM shown
        ORDER BY (-shown.score), shown.tie_key
        LIMIT 1
    ) AS highest
    CROSS JOIN LATERAL %(rank_of_highest)s AS ranked
)

SELECT
    asked.number,
    asked.sealed_at,
    asked.replaced_at,
    asked.members,
    asked.boards_present,
    placed.rank,
    placed.tied,
    shown.player_id,
    shown.score,
    shown.tie_key
FROM asked
LEFT JOIN shown ON TRUE
LEFT JOIN placed ON TRUE
ORDER BY (-shown.score), shown.tie_key, shown.player_id;
