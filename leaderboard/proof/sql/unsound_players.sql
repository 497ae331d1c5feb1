-- Finds players whose changes are not a chain (numbers 1 to n, each beginning with the score,
-- tie key and region that the one before ended with, the last with what the events fold to), or
-- whose receipts say something else than the fold. Zero rows: there are none.
-- What is wrong first stands beside each. Index change_once_per_player.
SELECT
    unsound.player_id AS place,
    coalesce(first_fault.expected, 'score ' || coalesce(unsound.score::text, 'none'))
        AS expected,
    coalesce(first_fault.found, 'its last change says otherwise') AS found,
    unsound.differing
FROM (
    SELECT
        player.player_id,
        player.only_results,
        player.score,
        count(*) OVER () AS differing
    FROM proof_player AS player
    WHERE NOT player.chained OR NOT player.receipted
    ORDER BY player.player_id
    LIMIT %(most)s
) AS unsound
LEFT JOIN LATERAL (
    SELECT
        fault.expected,
        fault.found
    FROM (
        SELECT
            ledger.*,
            row_number() OVER in_turn AS turn,
            lag(ledger.new_score) OVER in_turn AS score_before,
            lag(ledger.new_tie_key) OVER in_turn AS tie_key_before,
            lag(ledger.new_region) OVER in_turn AS region_before,
            CASE
                WHEN ledger.kind <> 'result' THEN ledger.old_score
                WHEN %(keeps_latest)s = 1 THEN ledger.score
                ELSE greatest(ledger.old_score, ledger.score)
            END AS score_after
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.player_id = unsound.player_id
            AND ledger.change_no IS NOT NULL
            AND ledger.epoch <= %(version)s
        WINDOW in_turn AS (ORDER BY ledger.change_no)
    ) AS event
    CROSS JOIN
        LATERAL (
            VALUES
            (
                event.change_no = event.turn,
                'change ' || event.turn,
                'change ' || event.change_no
            ),
            (
                event.old_score IS NOT DISTINCT FROM event.score_before,
                format(
                    'change %%s from %%s',
                    event.change_no,
                    coalesce(event.score_before::text, 'none')
                ),
                format(
                    'change %%s from %%s', event.change_no, coalesce(event.old_score::text, 'none')
                )
            ),
            (
                event.turn = 1 OR event.old_tie_key IS NOT DISTINCT FROM event.tie_key_before,
                format('change %%s from tie key %%s', event.change_no, event.tie_key_before),
                format('change %%s from tie key %%s', event.change_no, event.old_tie_key)
            ),
            (
                event.turn = 1 OR event.old_region IS NOT DISTINCT FROM event.region_before,
                format(
                    'change %%s from region %%s',
                    event.change_no,
                    coalesce(event.region_before::text, 'none')
                ),
                format(
                    'change %%s from region %%s',
                    event.change_no,
                    coalesce(event.old_region::text, 'none')
                )
            ),
            (
                event.turn = 1
                OR event.kind = 'region'
                OR event.new_region IS NOT DISTINCT FROM event.old_region,
                format('change %%s, a %%s, in its region', event.change_no, event.kind),
                format('change %%s, a %%s, into another', event.change_no, event.kind)
            ),
            (
                NOT unsound.only_results
                OR event.new_score IS NOT DISTINCT FROM event.score_after,
                format('change %%s to %%s', event.change_no, event.score_after),
                format('change %%s to %%s', event.change_no, event.new_score)
            ),
            (
                NOT unsound.only_results
                OR event.new_tie_key IS NOT DISTINCT FROM CASE
                    WHEN event.new_score = event.old_score THEN event.old_tie_key
                    WHEN %(has_times)s = 0 THEN 0
                    ELSE (extract(EPOCH FROM event.completed_at) * 1000000)::bigint
                END,
                format('change %%s to the tie key of its time', event.change_no),
                format('change %%s to tie key %%s', event.change_no, event.new_tie_key)
            ),
            (
                NOT unsound.only_results
                OR event.kind <> 'result'
                OR (
                    event.receipt_score IS NOT DISTINCT FROM event.new_score
                    AND (event.outcome = 'improved') = (event.visible_in_version IS NOT NULL)
                ),
                format('change %%s with its receipt', event.change_no),
                format(
                    'change %%s with receipt %%s, %%s',
                    event.change_no,
                    event.receipt_score,
                    event.outcome
                )
            )
        ) AS fault (sound, expected, found)
    WHERE NOT fault.sound
    ORDER BY event.change_no
    LIMIT 1
) AS first_fault ON TRUE
ORDER BY unsound.player_id;
