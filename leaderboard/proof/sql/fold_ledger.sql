-- Folds the ledger through an epoch, a row a player: one pass over all of it. It is whole for
-- players who only have results, whose best is the highest of them; others are folded again.
-- Of the changes of a player, numbered 1 to n, each begins with the score that the one before
-- ended with: then all pairs of number and score occur twice, and cancel out, but the last.
INSERT INTO proof_player (
    player_id,
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
    ledger.player_id,
    max(ledger.score) AS score,
    FALSE AS removed,
    bool_and(ledger.kind = 'result') AS only_results,
    count(*) = max(ledger.change_no)
    AND bit_xor(
        hashint8extended(ledger.change_no, coalesce(ledger.new_score, -1))
        # hashint8extended(ledger.change_no - 1, coalesce(ledger.old_score, -1))
    ) = (
        hashint8extended(max(ledger.change_no), coalesce(max(ledger.score), -1))
        # hashint8extended(0, -1)
    ) AS chained,
    bool_and((
        ledger.new_score = greatest(ledger.old_score, ledger.score)
        AND ledger.receipt_score = ledger.new_score
        AND (ledger.outcome = 'improved') = (ledger.visible_in_version IS NOT NULL)
        AND (ledger.outcome = 'improved') = (ledger.old_score IS DISTINCT FROM ledger.new_score)
    ) IS TRUE) AS receipted,
    0 AS revision,
    max(ledger.score_version) AS score_version,
    coalesce(max(ledger.visible_in_version), min(ledger.epoch)) AS epoch,
    max(ledger.change_no) AS change_no
FROM scores_ledger AS ledger
WHERE
    ledger.namespace = %(ledger_namespace)s
    AND ledger.change_no IS NOT NULL
    AND ledger.epoch <= %(version)s
GROUP BY ledger.player_id;
