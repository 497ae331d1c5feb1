-- Folds the ledger through an epoch, a row a player: one pass over all of it, of a season with
-- shared ties and without regions that keeps the best. It is whole for players who only have
-- results, whose best is the highest of them; others are folded again.
-- Of the changes of a player, numbered 1 to n, each begins with the score that the one before
-- ended with: then each pair of number and score occurs twice, as an end and as a beginning,
-- and cancels out, but for the first beginning and the nth end, which has the fold's score.
INSERT INTO proof_player (
    player_id,
    tie_key,
    score,
    removed,
    only_results,
    chained,
    receipted,
    revision,
    score_version,
    epoch,
    change_no
)
SELECT
    folded.player_id,
    0 AS tie_key,
    folded.score,
    FALSE AS removed,
    folded.worst > 0 AS only_results,
    folded.ends = (
        hashint8extended(folded.changes, coalesce(folded.score, -1)) # hashint8extended(0, -1)
    ) AS chained,
    folded.worst <> 1 AS receipted,
    0 AS revision,
    folded.score_version,
    coalesce(folded.epoch, 0) AS epoch,
    folded.changes AS change_no
FROM (
    SELECT
        ledger.player_id,
        max(ledger.score) AS score,
        max(ledger.score_version) AS score_version,
        max(ledger.visible_in_version) AS epoch,
        count(*) AS changes,
        bit_xor(
            hashint8extended(ledger.change_no, coalesce(ledger.new_score, -1))
            # hashint8extended(ledger.change_no - 1, coalesce(ledger.old_score, -1))
        ) AS ends,
        min(CASE
            WHEN ledger.kind <> 'result' THEN 0
            WHEN
                ledger.new_score = greatest(ledger.old_score, ledger.score)
                AND ledger.receipt_score = ledger.new_score
                AND (ledger.outcome = 'improved') = (ledger.visible_in_version IS NOT NULL)
                AND (ledger.outcome = 'improved')
                = (ledger.old_score IS DISTINCT FROM ledger.new_score)
                THEN 2
            ELSE 1
        END) AS worst
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(ledger_namespace)s
        AND ledger.change_no IS NOT NULL
        AND ledger.epoch <= %(version)s
    GROUP BY ledger.player_id
) AS folded;
