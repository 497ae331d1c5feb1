-- Finds a player's neighbours at a version: up to `radius` rows each way in display order,
-- with the rank of the highest row and how many are tied with it; the other ranks follow.
-- Zero rows: the version is not here. No player_id: the player is not on the board then.
-- A range scan of best_in_rank_order, or that of the region, each way, and for every epoch
-- after the version one of undo_in_rank_order each way, from the player to where those bests
-- end: without the list of epochs it would walk all undo kept, and without that end as many
-- rows again an epoch.
-- Look-ups by version_once_per_namespace, seal_once_per_epoch, best_once_per_player,
-- undo_once_per_epoch, prefix_once_per_version and bucket_once_per_version.
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

own AS MATERIALIZED (
    SELECT
        best.player_id,
        best.score,
        best.tie_key
    FROM scores_best AS best
    WHERE
        best.namespace = %(namespace)s
        AND best.player_id = %(player_id)s
        AND best.epoch <= %(version)s
        AND best.score IS NOT NULL
        AND (%(board)s = 0 OR best.region = %(board)s)
    UNION ALL
    (
        SELECT
            undo.player_id,
            undo.score,
            undo.tie_key
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.player_id = %(player_id)s
            AND undo.to_epoch > (SELECT asked.number FROM asked)
            AND undo.from_epoch <= %(version)s
            AND (%(board)s = 0 OR undo.region = %(board)s)
        LIMIT 1
    )
    LIMIT 1
),

bests_above AS MATERIALIZED (
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
        < (
            (SELECT -own.score FROM own),
            (SELECT own.tie_key FROM own),
            (SELECT own.player_id FROM own)
        )
    ORDER BY (-best.score) DESC, best.tie_key DESC, best.player_id DESC
    LIMIT %(radius)s
),

last_above AS MATERIALIZED (
    SELECT
        (-bests_above.score) AS merit,
        bests_above.tie_key,
        bests_above.player_id
    FROM bests_above
    ORDER BY (-bests_above.score) DESC, bests_above.tie_key DESC, bests_above.player_id DESC
    LIMIT 1 OFFSET greatest(%(radius)s - 1, 0)
),

above AS (
    SELECT
        candidate.player_id,
        candidate.score,
        candidate.tie_key
    FROM (
        SELECT
            bests_above.player_id,
            bests_above.score,
            bests_above.tie_key
        FROM bests_above
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
                < (
                    (SELECT -own.score FROM own),
                    (SELECT own.tie_key FROM own),
                    (SELECT own.player_id FROM own)
                )
                AND ((-undo.score), undo.tie_key, undo.player_id)
                >= (
                    coalesce((SELECT last_above.merit FROM last_above), -2147483648),
                    coalesce((SELECT last_above.tie_key FROM last_above), 0),
                    coalesce((SELECT last_above.player_id FROM last_above), '')
                )
            ORDER BY (-undo.score) DESC, undo.tie_key DESC, undo.player_id DESC
            LIMIT %(radius)s
        ) AS undone
    ) AS candidate
    ORDER BY (-candidate.score) DESC, candidate.tie_key DESC, candidate.player_id DESC
    LIMIT %(radius)s
),

bests_below AS MATERIALIZED (
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
        > (
            (SELECT -own.score FROM own),
            (SELECT own.tie_key FROM own),
            (SELECT own.player_id FROM own)
        )
    ORDER BY (-best.score), best.tie_key, best.player_id
    LIMIT %(radius)s
),

last_below AS MATERIALIZED (
    SELECT
        (-bests_below.score) AS merit,
        bests_below.tie_key,
        bests_below.player_id
    FROM bests_below
    ORDER BY (-bests_below.score), bests_below.tie_key, bests_below.player_id
    LIMIT 1 OFFSET greatest(%(radius)s - 1, 0)
),

below AS (
    SELECT
        candidate.player_id,
        candidate.score,
        candidate.tie_key
    FROM (
        SELECT
            bests_below.player_id,
            bests_below.score,
            bests_below.tie_key
        FROM bests_below
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
                > (
                    (SELECT -own.score FROM own),
                    (SELECT own.tie_key FROM own),
                    (SELECT own.player_id FROM own)
                )
                AND ((-undo.score), undo.tie_key, undo.player_id)
                <= (
                    coalesce((SELECT last_below.merit FROM last_below), 2147483647),
                    coalesce((SELECT last_below.tie_key FROM last_below), 0),
                    coalesce((SELECT last_below.player_id FROM last_below), '')
                )
            ORDER BY (-undo.score), undo.tie_key, undo.player_id
            LIMIT %(radius)s
        ) AS undone
    ) AS candidate
    ORDER BY (-candidate.score), candidate.tie_key, candidate.player_id
    LIMIT %(radius)s
),

shown AS MATERIALIZED (
    SELECT * FROM above
    UNION ALL
    SELECT * FROM own
    UNION ALL
    SELECT * FROM below
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
