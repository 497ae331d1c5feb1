-- Folds the events of every player who has results only into bests, one part of the players of
-- a season with shared ties and without regions that keeps the best.
-- Such a player's results were applied in order of version, so the best is the highest score,
-- stamped with the first epoch that had it. Both are found as the greatest of one number: the
-- score, and below it 2^33 - 1 - epoch.
-- Reads the whole ledger of the season. Players with decisions are left out.
INSERT INTO scores_best_n%(namespace)s (
    namespace, player_id, score, score_version, epoch, change_no
)
SELECT
    %(namespace)s,
    folded.player_id,
    (folded.highest >> 33)::integer,
    folded.score_version,
    8589934591 - (folded.highest & 8589934591),
    folded.change_no
FROM (
    SELECT
        ledger.player_id,
        max((ledger.score::bigint << 33) + 8589934591 - ledger.epoch) AS highest,
        max(ledger.score_version) AS score_version,
        max(ledger.change_no) AS change_no
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(ledger_namespace)s
        AND ledger.change_no IS NOT NULL
        AND ledger.epoch <= %(through)s
        AND (
            %(parts)s = 1
            OR hashtextextended(ledger.player_id, 0) & (%(parts)s - 1) = %(part)s
        )
    GROUP BY ledger.player_id
    HAVING bool_and(ledger.kind = 'result')
) AS folded;
