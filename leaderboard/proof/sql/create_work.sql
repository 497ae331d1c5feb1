-- Makes the work tables of one proof. They are temporary: they go with the session, however it
-- ends. `proof_folded` folds the ledger of the players in `proof_asked`, each through an epoch
-- of its own: in order of version, without voided events. A set begins a new part; in each part
-- a result changes the score if it is higher, or where the latest is kept another one, and the
-- last change of all counts. The time is that of the last result that changed the score, or of
-- a set that did not keep it. The region is the newest one, whatever the versions.
-- Index change_once_per_player, player by player: the order keeps the planner to it.
-- All else goes by windows: a join of the rows with themselves would grow with their square.
CREATE TEMP TABLE proof_player (
    player_id text COLLATE "C" NOT NULL,
    tie_key bigint NOT NULL,
    hidden_tie_key bigint,
    score integer,
    hidden_score integer,
    region smallint,
    removed boolean NOT NULL,
    only_results boolean NOT NULL,
    chained boolean NOT NULL,
    receipted boolean NOT NULL,
    revision integer NOT NULL,
    score_version bigint NOT NULL,
    epoch bigint NOT NULL,
    change_no bigint NOT NULL
);

CREATE TEMP TABLE proof_asked (
    player_id text COLLATE "C" NOT NULL,
    through bigint NOT NULL
);

CREATE TEMP TABLE proof_key (
    tie_key bigint NOT NULL,
    players bigint NOT NULL,
    above bigint NOT NULL,
    score integer NOT NULL,
    bucket integer NOT NULL,
    hash numeric NOT NULL
);

CREATE TEMP VIEW proof_folded AS
WITH applied AS (
    SELECT
        asked.player_id,
        event.*,
        row_number() OVER in_turn AS turn,
        lag(event.new_score) OVER in_turn AS score_before,
        lag(event.new_tie_key) OVER in_turn AS tie_key_before,
        lag(event.new_region) OVER in_turn AS region_before,
        max(event.change_no) FILTER (WHERE event.kind_group = 0) OVER of_player AS last_sent,
        array_agg(event.void_event_id) FILTER (
            WHERE event.kind = 'void' AND event.outcome = 'corrected'
        ) OVER of_player AS voided
    FROM proof_asked AS asked
    CROSS JOIN LATERAL (
        SELECT
            ledger.event_id,
            ledger.kind,
            ledger.kind_group,
            ledger.outcome,
            ledger.score,
            ledger.score_version,
            ledger.revision,
            ledger.completed_at,
            ledger.achieved_at,
            ledger.keeps_time,
            ledger.void_event_id,
            ledger.epoch,
            ledger.visible_in_version,
            ledger.change_no,
            ledger.old_score,
            ledger.new_score,
            ledger.old_tie_key,
            ledger.new_tie_key,
            ledger.old_region,
            ledger.new_region
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(namespace)s
            AND ledger.player_id = asked.player_id
            AND ledger.change_no IS NOT NULL
            AND ledger.epoch <= asked.through
        ORDER BY ledger.change_no
    ) AS event
    WINDOW
        of_player AS (PARTITION BY asked.player_id),
        in_turn AS (PARTITION BY asked.player_id ORDER BY event.change_no)
),

touched AS (
    SELECT
        applied.player_id,
        count(*) AS changes,
        max(applied.change_no) AS change_no,
        coalesce(max(applied.visible_in_version), min(applied.epoch)) AS epoch,
        coalesce(max(applied.score_version) FILTER (WHERE applied.kind_group = 0), 0)
            AS score_version,
        count(*) FILTER (
            WHERE
            applied.kind <> 'region'
            AND applied.change_no > coalesce(applied.last_sent, 0)
        )::integer AS revision,
        bool_and(
            applied.change_no = applied.turn
            AND CASE
                WHEN applied.turn = 1
                    THEN
                        applied.old_score IS NULL
                        AND coalesce(applied.old_tie_key, 0) = 0
                        AND coalesce(applied.old_region, applied.new_region)
                        IS NOT DISTINCT FROM applied.new_region
                ELSE
                    applied.old_score IS NOT DISTINCT FROM applied.score_before
                    AND applied.old_tie_key IS NOT DISTINCT FROM applied.tie_key_before
                    AND applied.old_region IS NOT DISTINCT FROM applied.region_before
            END
            AND CASE
                WHEN applied.kind = 'region'
                    THEN
                        applied.old_score IS NOT DISTINCT FROM applied.new_score
                        AND applied.old_tie_key IS NOT DISTINCT FROM applied.new_tie_key
                ELSE
                    applied.turn = 1
                    OR applied.old_region IS NOT DISTINCT FROM applied.new_region
            END
        ) AS chained,
        (array_agg(applied.new_score ORDER BY applied.change_no DESC))[1] AS newest_score,
        (array_agg(applied.new_tie_key ORDER BY applied.change_no DESC))[1] AS newest_tie_key,
        (array_agg(applied.new_region ORDER BY applied.change_no DESC))[1] AS newest_region
    FROM applied
    GROUP BY applied.player_id
),

counted AS (
    SELECT
        applied.player_id,
        applied.kind,
        applied.score,
        applied.keeps_time,
        CASE
            WHEN applied.kind = 'correction' THEN applied.achieved_at ELSE applied.completed_at
        END AS achieved_at,
        count(*) FILTER (WHERE applied.kind = 'correction' AND applied.score IS NOT NULL)
            OVER in_order AS part,
        row_number() OVER in_order AS place
    FROM applied
    WHERE
        applied.kind IN ('result', 'release', 'correction')
        AND applied.outcome IN ('improved', 'not_improved', 'corrected')
        AND applied.event_id <> ALL (coalesce(applied.voided, '{}'))
    WINDOW
        in_order AS (
            PARTITION BY applied.player_id
            ORDER BY applied.score_version, applied.revision, applied.change_no
        )
),

scored AS (
    SELECT
        counted.*,
        CASE
            WHEN %(keeps_latest)s = 1 THEN lag(counted.score) OVER earlier
            ELSE max(counted.score) OVER earlier
        END AS score_before,
        max(counted.part) OVER (PARTITION BY counted.player_id) AS last_part
    FROM counted
    WINDOW
        earlier AS (
            PARTITION BY counted.player_id, counted.part, counted.score IS NULL
            ORDER BY counted.place
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
),

stepped AS (
    SELECT
        scored.*,
        scored.kind = 'correction' AND scored.score IS NOT NULL AS sets,
        scored.kind <> 'correction' AND CASE
            WHEN %(keeps_latest)s = 1 THEN scored.score IS DISTINCT FROM scored.score_before
            ELSE scored.score > coalesce(scored.score_before, -1)
        END AS changes
    FROM scored
),

folded AS (
    SELECT
        stepped.player_id,
        (
            array_agg(stepped.score ORDER BY stepped.place DESC)
            FILTER (WHERE stepped.sets OR stepped.changes)
        )[1] AS score,
        (
            array_agg(stepped.achieved_at ORDER BY stepped.place DESC)
            FILTER (WHERE stepped.changes OR (stepped.sets AND NOT stepped.keeps_time))
        )[1] AS achieved_at,
        bool_or(
            stepped.kind = 'correction'
            AND stepped.score IS NULL
            AND stepped.part = stepped.last_part
        ) AS removed
    FROM stepped
    GROUP BY stepped.player_id
),

shown AS (
    SELECT
        touched.*,
        folded.score,
        coalesce(folded.removed, FALSE) AS removed,
        CASE
            WHEN folded.score IS NULL THEN NULL
            WHEN %(has_times)s = 0 THEN 0
            ELSE
                coalesce(
                    (extract(EPOCH FROM folded.achieved_at) * 1000000)::bigint,
                    4611686018427387904
                )
        END AS tie_key
    FROM touched
    LEFT JOIN folded ON touched.player_id = folded.player_id
),

told AS (
    SELECT
        shown.*,
        CASE WHEN NOT shown.removed THEN shown.score END AS shown_score,
        coalesce(CASE WHEN NOT shown.removed THEN shown.tie_key END, 0) AS shown_tie_key
    FROM shown
)

SELECT
    told.player_id,
    told.shown_score AS score,
    CASE WHEN told.removed THEN told.score END AS hidden_score,
    told.shown_tie_key AS tie_key,
    CASE WHEN told.removed THEN told.tie_key END AS hidden_tie_key,
    told.newest_region AS region,
    told.removed,
    told.chained
    AND told.changes = told.change_no
    AND told.newest_score IS NOT DISTINCT FROM told.shown_score
    AND told.newest_tie_key IS NOT DISTINCT FROM told.shown_tie_key AS chained,
    told.revision,
    told.score_version,
    told.epoch,
    told.change_no
FROM told;
