-- Makes the work tables of one proof. They are temporary: they go with the session, however it
-- ends. `proof_folded` folds the ledger of the players in `proof_asked`, each through an epoch
-- of its own: in order of version, without voided events; the last set counts, and the results
-- after it. Index change_once_per_player, player by player: the order keeps the planner to it.
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
        max(event.change_no) FILTER (WHERE event.kind_group = 0) OVER (
            PARTITION BY asked.player_id
        ) AS last_sent
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
    WINDOW in_turn AS (PARTITION BY asked.player_id ORDER BY event.change_no)
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
        ) AS chained
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
        AND NOT EXISTS (
            SELECT FROM applied AS taken_out
            WHERE
                taken_out.player_id = applied.player_id
                AND taken_out.kind = 'void'
                AND taken_out.outcome = 'corrected'
                AND taken_out.void_event_id = applied.event_id
        )
),

last_set AS (
    SELECT DISTINCT ON (counted.player_id)
        counted.player_id,
        counted.place,
        counted.score
    FROM counted
    WHERE counted.kind = 'correction' AND counted.score IS NOT NULL
    ORDER BY counted.player_id, counted.place DESC
),

folded AS (
    SELECT
        touched.player_id,
        greatest(
            max(last_set.score), max(counted.score) FILTER (WHERE counted.kind <> 'correction')
        ) AS score,
        coalesce(
            bool_or(counted.kind = 'correction' AND counted.score IS NULL), FALSE
        ) AS removed
    FROM touched
    LEFT JOIN last_set ON touched.player_id = last_set.player_id
    LEFT JOIN counted
        ON
            touched.player_id = counted.player_id
            AND counted.place > coalesce(last_set.place, 0)
    GROUP BY touched.player_id
)

SELECT
    touched.player_id,
    CASE WHEN NOT folded.removed THEN folded.score END AS score,
    CASE WHEN folded.removed THEN folded.score END AS hidden_score,
    folded.removed,
    touched.chained AND touched.changes = touched.change_no
    AND EXISTS (
        SELECT FROM applied AS latest
        WHERE
            latest.player_id = touched.player_id
            AND latest.change_no = touched.change_no
            AND latest.new_score IS NOT DISTINCT FROM
            CASE WHEN NOT folded.removed THEN folded.score END
    ) AS chained,
    touched.revision,
    touched.score_version,
    touched.epoch,
    touched.change_no
FROM touched
INNER JOIN folded ON touched.player_id = folded.player_id;
