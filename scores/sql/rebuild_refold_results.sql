-- Folds the events of listed players who have results only into bests that are there or not.
-- The rule is that of `rebuild_fold_results`; each player's rows are found by an index.
INSERT INTO scores_best AS best (
    namespace, player_id, score, score_version, epoch, change_no
)
SELECT
    %(namespace)s,
    changed.player_id,
    (folded.highest >> 33)::integer,
    folded.score_version,
    8589934591 - (folded.highest & 8589934591),
    folded.change_no
FROM scores_rebuild_changed AS changed
CROSS JOIN
    LATERAL (
        SELECT
            max((ledger.score::bigint << 33) + 8589934591 - ledger.epoch) AS highest,
            max(ledger.score_version) AS score_version,
            max(ledger.change_no) AS change_no
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.player_id = changed.player_id
            AND ledger.change_no IS NOT NULL
            AND ledger.epoch <= %(through)s
    ) AS folded
WHERE NOT changed.decided
ON CONFLICT (namespace, player_id) DO UPDATE SET
    score = excluded.score,
    hidden_score = NULL,
    removed = FALSE,
    tie_key = 0,
    hidden_tie_key = NULL,
    score_version = excluded.score_version,
    revision = 0,
    epoch = excluded.epoch,
    change_no = excluded.change_no;
