"""What two series leave behind in days: a window an hour by two rules each."""

YEARS_OF_SERIES = """
INSERT INTO seasons_series (
    slug, name, time_zone, grace_seconds, late_policy, score_min, score_max, tie_rule, "order",
    keep, regions
)
SELECT
    'series-' || number, 'series', 'UTC', 60, 'reject', 0, 1000000, 'shared', 'desc', 'best', '{}'
FROM generate_series(1, 2) AS number;
INSERT INTO seasons_windowrule (series_id, suffix, kind, cron)
SELECT id, 'rule-' || number, 'cron', '0 * * * *'
FROM seasons_series, generate_series(1, 2) AS number;
INSERT INTO seasons_season (
    slug, name, starts_at, cutoff_at, grace_seconds, late_policy, score_min, score_max,
    tie_rule, "order", keep, regions, namespace, ledger_namespace, final_version
)
SELECT
    'window-' || rule.id || '-' || number,
    'window',
    date_trunc('hour', now()) - make_interval(hours => number),
    date_trunc('hour', now()) - make_interval(hours => number - 1),
    60, 'reject', 0, 1000000, 'shared', 'desc', 'best', '{}',
    2000000 + rule.id * 10000 + number,
    2000000 + rule.id * 10000 + number,
    CASE WHEN number > 0 THEN 1 END
FROM seasons_windowrule AS rule, generate_series(-1, 60) AS number;
INSERT INTO seasons_window (rule_id, season_id, starts_at, ends_at)
SELECT rule.id, season.id, season.starts_at, season.cutoff_at
FROM seasons_windowrule AS rule
INNER JOIN seasons_season AS season ON season.slug LIKE 'window-' || rule.id || '-%';
INSERT INTO leaderboard_retirement (
    season_id, reason, final_version, players, ledger_rows, sha256, namespaces, begun_at,
    dropped_at
)
SELECT id, 'old', 1, 0, 0, '', '{}', now(), now()
FROM seasons_season WHERE slug LIKE 'old-%';
"""
