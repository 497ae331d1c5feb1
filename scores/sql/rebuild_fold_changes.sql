-- Folds the events of every player who has results and changes of region only into bests, one
-- part of the players of a season of any rules.
-- Such a player's results were applied in order of version. The last of them that changed the
-- score made what is shown: a higher one, or where the latest is kept another one. The stamp is
-- that of the last change of score or region; the region is the last one.
-- Reads the whole ledger of the season. Players with decisions are left out.
INSERT INTO scores_best_n%(namespace)s (
    namespace, player_id, score, tie_key, region, score_version, epoch, change_no
)
SELECT
    %(namespace)s,
    folded.player_id,
    folded.shown[2]::integer,
    folded.shown[3],
    folded.placed[2]::smallint,
    folded.score_version,
    folded.epoch,
    folded.placed[1]
FROM (
    SELECT
        stepped.player_id,
        max(
            ARRAY[
                stepped.change_no,
                stepped.score,
                CASE
                    WHEN %(has_times)s = 0 THEN 0
                    ELSE (extract(EPOCH FROM stepped.completed_at) * 1000000)::bigint
                END
            ]
        ) FILTER (WHERE stepped.is_visible AND stepped.kind = 'result') AS shown,
        max(ARRAY[stepped.change_no, stepped.new_region]) AS placed,
        max(stepped.score_version) FILTER (WHERE stepped.kind = 'result') AS score_version,
        max(stepped.epoch) FILTER (WHERE stepped.is_visible) AS epoch
    FROM (
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
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.change_no IS NOT NULL
            AND ledger.epoch <= %(through)s
            AND (
                %(parts)s = 1
                OR hashtextextended(ledger.player_id, 0) & (%(parts)s - 1) = %(part)s
            )
        WINDOW
            earlier AS (
                PARTITION BY ledger.player_id, ledger.kind
                ORDER BY ledger.change_no
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )
    ) AS stepped
    GROUP BY stepped.player_id
    HAVING bool_and(stepped.kind IN ('result', 'region'))
) AS folded;
