"""What people and machines leave behind in years: requests, jobs, verifications, the log."""

YEARS_OF_ADMIN = """
INSERT INTO auth_user (
    password, is_superuser, username, first_name, last_name, email, is_staff, is_active,
    date_joined
)
SELECT '', false, 'staff-' || number, '', '', '', true, true, now()
FROM generate_series(1, 50) AS number;

INSERT INTO scores_correctionrequest (
    season_id, player_id, kind, reason, evidence, requested_by_id, requested_at, status,
    decided_by_id, decided_at, decision_reason, event_id
)
SELECT
    season.id,
    'player-' || number % 5000 + 1,
    'remove',
    'why',
    '',
    asked.id,
    now() - make_interval(mins => 30000 - number),
    CASE
        WHEN number > 29900 THEN 'requested'
        WHEN number % 3 = 0 THEN 'rejected'
        ELSE 'approved'
    END,
    CASE WHEN number <= 29900 THEN decided.id END,
    CASE WHEN number <= 29900 THEN now() END,
    '',
    CASE WHEN number <= 29900 AND number % 3 > 0 THEN 'admin-' || number END
FROM generate_series(1, 30000) AS number
INNER JOIN seasons_season AS season ON season.slug = 'big'
INNER JOIN auth_user AS asked ON asked.username = 'staff-' || number % 50 + 1
INNER JOIN auth_user AS decided ON decided.username = 'staff-' || (number + 1) % 50 + 1
ORDER BY number;

INSERT INTO leaderboard_job (
    kind, arguments, requested_by_id, requested_at, started_at, finished_at, succeeded, outcome
)
SELECT 'verify_season', '{"slug": "big"}', asked.id, now(), now(), now(), true, 'done'
FROM generate_series(1, 20000) AS number
INNER JOIN auth_user AS asked ON asked.username = 'staff-' || number % 50 + 1;

INSERT INTO leaderboard_verification (
    season_id, version, namespace, scope, started_at, finished_at, agrees, report
)
SELECT season.id, number, season.namespace, 'sample', now(), now(), true, '{}'
FROM generate_series(1, 1000) AS number
INNER JOIN seasons_season AS season ON season.slug = 'big' OR season.slug LIKE 'other-%';

INSERT INTO leaderboard_settlement (season_id, settlement_id, version, checksum, recorded_at)
SELECT season.id, 'run-' || number, 1, 'x', now()
FROM generate_series(1, 20) AS number
INNER JOIN seasons_season AS season ON season.slug LIKE 'old-%';

INSERT INTO django_admin_log (
    action_time, object_id, object_repr, action_flag, change_message, content_type_id, user_id
)
SELECT now(), number, 'thing', 2, 'Did: why', content_type.id, who.id
FROM generate_series(1, 50000) AS number
INNER JOIN auth_user AS who ON who.username = 'staff-' || number % 50 + 1
INNER JOIN django_content_type AS content_type
    ON content_type.app_label = 'seasons' AND content_type.model = 'season';
"""
