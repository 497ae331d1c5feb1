-- Makes the work tables of one proof. They are temporary: they go with the session, however it
-- ends. `proof_folded` folds the ledger of the players in `proof_asked`, each through an epoch
-- of its own: in order of version, without voided events; the last set counts, and the results
-- after it. Index change_once_per_player, player by player: the order keeps the planner to it.
-- All else goes by windows: a join of the rows with themselves would grow with their square.
CREATE TEMP TABLE proof_player (
    player_id text COLLATE "C" NOT NULL,
    score integer,
    hidden_score integer,
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

CREATE TEMP TABLE proof_score (
    score integer NOT NULL,
    players bigint NOT NULL,
    hash numeric NOT NULL
);

CREATE TEMP VIEW proof_folded AS
WITH applied AS (
    SELECT
        asked.player_id,
        event.*,
        row_number() OVER in_turn AS turn,
        lag(event.new_score) OVER in_turn AS score_before,
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
            ledger.void_event_id,
            ledger.epoch,
            ledger.visible_in_version,
            ledger.change_no,
            ledger.old_score,
            ledger.new_score
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
            WHERE applied.change_no > coalesce(applied.last_sent, 0)
        )::integer AS revision,
        bool_and(
            applied.change_no = applied.turn
            AND applied.old_score IS NOT DISTINCT FROM applied.score_before
        ) AS chained,
        (array_agg(applied.new_score ORDER BY applied.change_no DESC))[1] AS newest_score
    FROM applied
    GROUP BY applied.player_id
),

counted AS (
    SELECT
        applied.player_id,
        applied.kind,
        applied.score,
        row_number() OVER (
            PARTITION BY applied.player_id
            ORDER BY applied.score_version, applied.revision, applied.change_no
        ) AS place
    FROM applied
    WHERE
        applied.kind IN ('result', 'release', 'correction')
        AND applied.outcome IN ('improved', 'not_improved', 'corrected')
        AND applied.event_id <> ALL (coalesce(applied.voided, '{}'))
),

since_set AS (
    SELECT
        counted.player_id,
        counted.kind,
        counted.score,
        counted.place,
        coalesce(
            max(counted.place) FILTER (
                WHERE counted.kind = 'correction' AND counted.score IS NOT NULL
            ) OVER (PARTITION BY counted.player_id),
            0
        ) AS last_set
    FROM counted
),

folded AS (
    SELECT
        since_set.player_id,
        max(since_set.score) FILTER (
            WHERE since_set.place = since_set.last_set OR since_set.kind <> 'correction'
        ) AS score,
        bool_or(since_set.kind = 'correction' AND since_set.score IS NULL) AS removed
    FROM since_set
    WHERE since_set.place >= since_set.last_set
    GROUP BY since_set.player_id
),

shown AS (
    SELECT
        touched.player_id,
        touched.changes,
        touched.change_no,
        touched.epoch,
        touched.score_version,
        touched.revision,
        touched.chained,
        touched.newest_score,
        folded.score,
        coalesce(folded.removed, FALSE) AS removed
    FROM touched
    LEFT JOIN folded ON touched.player_id = folded.player_id
)

SELECT
    shown.player_id,
    CASE WHEN NOT shown.removed THEN shown.score END AS score,
    CASE WHEN shown.removed THEN shown.score END AS hidden_score,
    shown.removed,
    shown.chained AND shown.changes = shown.change_no
    AND shown.newest_score IS NOT DISTINCT FROM
    CASE WHEN NOT shown.removed THEN shown.score END AS chained,
    shown.revision,
    shown.score_version,
    shown.epoch,
    shown.change_no
FROM shown;
