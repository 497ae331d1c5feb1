-- Folds the events of listed players who have results and changes of region only into bests that
-- are there or not, and makes their undo for the versions from a base on: what each epoch that
-- changed what is shown found there. The rule is that of `rebuild_fold_changes`; each player's
-- rows are found by an index.
WITH stepped AS (
    SELECT
        ledger.player_id,
        ledger.epoch,
        ledger.kind,
        ledger.score,
        ledger.score_version,
        ledger.completed_at,
        ledger.change_no,
        ledger.new_region,
        CASE
            WHEN ledger.kind <> 'result' THEN TRUE
            WHEN %(keeps_latest)s = 1
                THEN ledger.score <> coalesce(lag(ledger.score) OVER earlier, -1)
            ELSE ledger.score > coalesce(max(ledger.score) OVER earlier, -1)
        END AS is_visible
    FROM scores_rebuild_changed AS changed
    INNER JOIN scores_ledger AS ledger ON changed.player_id = ledger.player_id
    WHERE
        NOT changed.decided
        AND ledger.namespace = %(ledger_namespace)s
        AND ledger.change_no IS NOT NULL
        AND ledger.epoch <= %(through)s
    WINDOW
        earlier AS (
            PARTITION BY ledger.player_id, ledger.kind
            ORDER BY ledger.change_no
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
),

shown AS (
    SELECT
        stepped.player_id,
        stepped.epoch,
        stepped.change_no,
        stepped.is_visible,
        stepped.new_region AS region,
        max(stepped.score_version) FILTER (WHERE stepped.kind = 'result') OVER so_far
            AS score_version,
        max(
            CASE
                WHEN stepped.is_visible AND stepped.kind = 'result'
                    THEN
                        ARRAY[
                            stepped.change_no,
                            stepped.score,
                            CASE
                                WHEN %(has_times)s = 0 THEN 0
                                ELSE
                                    (extract(EPOCH FROM stepped.completed_at) * 1000000)::bigint
                            END
                        ]
            END
        ) OVER so_far AS result,
        max(stepped.epoch) FILTER (WHERE stepped.is_visible) OVER so_far AS stamp
    FROM stepped
    WINDOW so_far AS (PARTITION BY stepped.player_id ORDER BY stepped.change_no)
),

bests AS (
    INSERT INTO scores_best AS best (
        namespace, player_id, score, tie_key, region, score_version, epoch, change_no
    )
    SELECT DISTINCT ON (shown.player_id)
        %(namespace)s,
        shown.player_id,
        shown.result[2]::integer,
        shown.result[3],
        shown.region,
        shown.score_version,
        shown.stamp,
        shown.change_no
    FROM shown
    ORDER BY shown.player_id, shown.change_no DESC
    ON CONFLICT (namespace, player_id) DO UPDATE SET
        score = excluded.score,
        hidden_score = NULL,
        removed = FALSE,
        tie_key = excluded.tie_key,
        hidden_tie_key = NULL,
        region = excluded.region,
        score_version = excluded.score_version,
        revision = 0,
        epoch = excluded.epoch,
        change_no = excluded.change_no
)

INSERT INTO scores_undo (
    namespace, player_id, from_epoch, to_epoch, score, tie_key, region
)
SELECT
    %(namespace)s,
    step.player_id,
    step.from_epoch,
    step.to_epoch,
    step.result[2]::integer,
    step.result[3],
    step.region
FROM (
    SELECT
        ended.player_id,
        lag(ended.epoch) OVER in_order AS from_epoch,
        ended.epoch AS to_epoch,
        lag(ended.result) OVER in_order AS result,
        lag(ended.region) OVER in_order AS region
    FROM (
        SELECT DISTINCT ON (shown.player_id, shown.epoch)
            shown.player_id,
            shown.epoch,
            shown.result,
            shown.region
        FROM shown
        WHERE shown.is_visible
        ORDER BY shown.player_id, shown.epoch, shown.change_no DESC
    ) AS ended
    WINDOW in_order AS (PARTITION BY ended.player_id ORDER BY ended.epoch)
) AS step
WHERE step.to_epoch > %(base)s AND step.from_epoch IS NOT NULL;
