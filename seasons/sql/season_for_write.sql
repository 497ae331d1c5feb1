-- Reads what a writer must know, after it holds the epoch fence, by a later snapshot.
-- `accepted_at` is the clock after the wait; now() stood still at the transaction's start.
-- Zero rows: there is no such season. Indexes seasons_season_pkey and seasons_epoch_pkey. No
-- locks.
SELECT
    season.id AS season_id,
    season.namespace,
    season.ledger_namespace,
    season.starts_at,
    season.cutoff_at,
    season.grace_seconds,
    season.late_policy,
    season.score_min,
    season.score_max,
    season.tie_rule,
    season.order,
    season.keep,
    season.regions,
    season.final_version,
    season.bests_damaged_at,
    season.retired_at,
    season.has_display,
    epoch.open_epoch,
    clock_timestamp() AS accepted_at
FROM seasons_season AS season
INNER JOIN seasons_epoch AS epoch ON season.id = epoch.season_id
WHERE season.id = %(season_id)s;
