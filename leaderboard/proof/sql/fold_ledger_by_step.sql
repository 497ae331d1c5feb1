-- Folds the ledger through an epoch, a row a player: one pass over all of it, of a season whose
-- ties have times, that keeps the latest, or that has regions. It is whole for players who only
-- have results and moves, each of which made of what stood there before what the rule says:
-- then the last one has what all of them fold to. Others are folded again.
-- Of the changes of a player, numbered 1 to n, each begins with what the one before ended with:
-- then each pair of number and state occurs twice, as an end and as a beginning, and cancels
-- out, but for the first beginning and the nth end.
INSERT INTO proof_player (
    player_id,
    tie_key,
    score,
    region,
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
    coalesce(folded.newest[3], 0) AS tie_key,
    folded.newest[2]::integer AS score,
    folded.newest[4]::smallint AS region,
    FALSE AS removed,
    folded.worst > 0 AS only_results,
    folded.ends = (
        hash_record_extended(
            row(
                folded.newest[2]::integer, folded.newest[3], folded.newest[4]::smallint
            ),
            folded.changes
        )
        # hash_record_extended(row(NULL::integer, NULL::bigint, NULL::smallint), 0)
    ) AS chained,
    folded.worst <> 1
    AND (
        %(keeps_latest)s = 0
        OR folded.latest[3] IS NOT DISTINCT FROM folded.newest[2]
    ) AS receipted,
    0 AS revision,
    coalesce(folded.latest[1], 0) AS score_version,
    coalesce(folded.epoch, 0) AS epoch,
    folded.changes AS change_no
FROM (
    SELECT
        ledger.player_id,
        max(
            ARRAY[ledger.change_no, ledger.new_score, ledger.new_tie_key, ledger.new_region]
        ) AS newest,
        max(
            ARRAY[ledger.score_version, ledger.change_no, ledger.score]
        ) FILTER (WHERE ledger.kind_group = 0) AS latest,
        max(ledger.visible_in_version) AS epoch,
        count(*) AS changes,
        bit_xor(
            hash_record_extended(
                row(ledger.new_score, ledger.new_tie_key, ledger.new_region), ledger.change_no
            )
            # hash_record_extended(
                row(ledger.old_score, ledger.old_tie_key, ledger.old_region),
                ledger.change_no - 1
            )
        ) AS ends,
        min(CASE
            WHEN ledger.kind NOT IN ('result', 'region') THEN 0
            WHEN
                ledger.kind = 'region'
                AND ledger.new_score = ledger.old_score
                AND ledger.new_tie_key = ledger.old_tie_key
                AND ledger.outcome = 'moved'
                AND (ledger.old_region IS DISTINCT FROM ledger.new_region)
                = (ledger.visible_in_version IS NOT NULL)
                THEN 2
            WHEN
                ledger.kind = 'result'
                AND ledger.new_score = CASE
                    WHEN %(keeps_latest)s = 1 THEN ledger.score
                    ELSE greatest(ledger.old_score, ledger.score)
                END
                AND ledger.new_tie_key = CASE
                    WHEN ledger.new_score = ledger.old_score THEN ledger.old_tie_key
                    WHEN %(has_times)s = 0 THEN 0
                    ELSE (extract(EPOCH FROM ledger.completed_at) * 1000000)::bigint
                END
                AND (
                    ledger.change_no = 1
                    OR ledger.new_region IS NOT DISTINCT FROM ledger.old_region
                )
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
