-- Deletes the layouts of a season that no version names any more, of whatever namespace, and the
-- sets of boundaries that only they had.
-- Zero rows: every set is in use. Locks the deleted rows until the transaction ends.
-- Indexes layout_in_season_order, version_in_layout_order for each layout, and then
-- leaderboard_layout_pkey and either of the two that boundaries have, by arrays: a join would
-- read all that other seasons have.
WITH season_layout AS MATERIALIZED (
    SELECT
        layout.id,
        layout.boundary_sets,
        (
            SELECT version.number
            FROM leaderboard_version AS version
            WHERE version.layout_id = layout.id
            LIMIT 1
        ) AS named_by
    FROM leaderboard_layout AS layout
    WHERE layout.season_id = %(season_id)s
    ORDER BY layout.id
),

unnamed AS (
    DELETE FROM leaderboard_layout
    WHERE id = any(array(
        SELECT season_layout.id
        FROM season_layout
        WHERE season_layout.named_by IS NULL
    ))
)

DELETE FROM leaderboard_boundary
WHERE boundary_set = any(array(
    SELECT unnest(season_layout.boundary_sets)
    FROM season_layout
    WHERE season_layout.named_by IS NULL
    EXCEPT
    SELECT unnest(season_layout.boundary_sets)
    FROM season_layout
    WHERE season_layout.named_by IS NOT NULL
));
