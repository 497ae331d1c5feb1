-- Compares the undo rows that a readable version may need with the ledger, both by this
-- statement's snapshot: for each player and epoch in which what is shown changed, what was
-- shown before, since the epoch of the change before. Zero rows: they agree.
-- Indexes version_once_per_namespace, ledger_in_epoch_order, change_once_per_player and
-- undo_in_rank_order.
WITH oldest AS MATERIALIZED (
    SELECT min(version.number) AS number
    FROM leaderboard_version AS version
    WHERE version.namespace = %(namespace)s
),

changed AS (
    SELECT DISTINCT ON (ledger.player_id, ledger.epoch)
        ledger.player_id,
        ledger.epoch,
        ledger.change_no,
        ledger.old_score,
        ledger.old_tie_key,
        ledger.old_region
    FROM scores_ledger AS ledger
    WHERE
        ledger.namespace = %(ledger_namespace)s
        AND ledger.epoch > (SELECT oldest.number FROM oldest)
        AND ledger.epoch <= %(until)s
        AND ledger.visible_in_version IS NOT NULL
    ORDER BY ledger.player_id, ledger.epoch, ledger.change_no
)

SELECT
    coalesce(expected.player_id, stored.player_id) AS place,
    CASE
        WHEN expected.player_id IS NULL THEN 'none'
        ELSE format(
            'score %%s, tie key %%s, region %%s from epoch %%s to %%s',
            expected.old_score,
            expected.old_tie_key,
            coalesce(expected.old_region::text, 'none'),
            expected.from_epoch,
            expected.to_epoch
        )
    END AS expected,
    CASE
        WHEN stored.player_id IS NULL THEN 'none'
        ELSE format(
            'score %%s, tie key %%s, region %%s from epoch %%s to %%s',
            stored.score,
            stored.tie_key,
            coalesce(stored.region::text, 'none'),
            stored.from_epoch,
            stored.to_epoch
        )
    END AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        changed.player_id,
        changed.epoch AS to_epoch,
        changed.old_score,
        changed.old_tie_key,
        changed.old_region,
        previous.epoch AS from_epoch
    FROM changed
    LEFT JOIN LATERAL (
        SELECT ledger.visible_in_version AS epoch
        FROM scores_ledger AS ledger
        WHERE
            ledger.namespace = %(ledger_namespace)s
            AND ledger.player_id = changed.player_id
            AND ledger.change_no < changed.change_no
            AND ledger.visible_in_version IS NOT NULL
        ORDER BY ledger.change_no DESC
        LIMIT 1
    ) AS previous ON TRUE
    WHERE changed.old_score IS NOT NULL
) AS expected
FULL JOIN (
    SELECT
        undo.player_id,
        undo.from_epoch,
        undo.to_epoch,
        undo.score,
        undo.tie_key,
        undo.region
    FROM scores_undo AS undo
    WHERE
        undo.namespace = %(namespace)s
        AND undo.to_epoch > (SELECT oldest.number FROM oldest)
) AS stored
    ON expected.player_id = stored.player_id AND expected.to_epoch = stored.to_epoch
WHERE
    expected.old_score IS DISTINCT FROM stored.score
    OR expected.from_epoch IS DISTINCT FROM stored.from_epoch
    OR expected.old_tie_key IS DISTINCT FROM stored.tie_key
    OR expected.old_region IS DISTINCT FROM stored.region
ORDER BY coalesce(expected.player_id, stored.player_id), expected.to_epoch
LIMIT %(most)s;
