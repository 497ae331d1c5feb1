"""Django's settings: everything that enters from outside is read here."""

from pathlib import Path

from celery.schedules import crontab

from config import environment

SECRET_KEY = environment.secret_key()
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
# What answers the reads that are asked for most ahead of Django, by the same views.
FRONT = "leaderboard.front.FRONT" if environment.flag("FRONT", default=True) else None
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"
APPEND_SLASH = False
STATIC_URL = "/static/"
STATICFILES_DIRS = [Path(__file__).parent / "static"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_prometheus",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "seasons",
    "scores",
    "leaderboard",
]

MIDDLEWARE = [
    "config.http.middleware.edge",
    "config.http.middleware.AdminSecurity",
    "config.http.middleware.AdminSessions",
    "config.http.middleware.AdminForms",
    "config.http.middleware.AdminUsers",
    "config.http.middleware.AdminMessages",
    "config.http.middleware.AdminFrames",
    "config.admin.problems.AdminProblems",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [Path(__file__).parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# READ COMMITTED is what the epoch fence needs: under repeatable read a writer would not
# see the epoch that was sealed while it waited.
_CONNECTION = {
    "server_side_binding": True,
    "prepare_threshold": 0,
    "isolation_level": 2,
    "connect_timeout": 5,
}
_DATABASE_URL = environment.service_url("DATABASE_URL", environment.NOWHERE)


def _pool(largest: int) -> dict[str, float]:
    return {"min_size": 1, "max_size": largest, "timeout": 3.0}


# A statement is planned once a connection, by the indexes that its file names: see decision 10.
_PLANNED_ONCE = "-c plan_cache_mode=force_generic_plan"
_BY_INDEX = "-c enable_seqscan=off -c enable_bitmapscan=off"
# Whoever freezes inside a transaction without limits of its own is ended all the same.
_NEVER_IDLE_FOR_LONG = "-c idle_in_transaction_session_timeout=30s"
# A query never writes, and a read that takes seconds is better refused.
_ONLY_READS = "-c default_transaction_read_only=on -c statement_timeout=3s"
# A proof reads whole tables: by hashing, with as much memory for it as is said here. When its
# process is killed, its statements end soon after.
_BY_HASHING = (
    "-c plan_cache_mode=force_custom_plan -c jit=off -c temp_buffers=64MB "
    "-c client_connection_check_interval=5s "
    f"-c hash_mem_multiplier=2 -c work_mem={environment.text('PROOF_WORK_MEM', '256MB')}"
)

# What the web server was started with: how many requests it works on at a time. Of its
# threads, reads may take five eighths (those in line included), replies that wait for a
# version an eighth, bodies that anybody may send an eighth: the last is always free to write.
# Services take three eighths at most, so that a storm of writes leaves threads for reading.
WEB_THREADS = environment.number("WEB_THREADS", 64)
READS_IN_FLIGHT = environment.number("READS_IN_FLIGHT", max(1, WEB_THREADS * 3 // 16))
READS_IN_LINE = environment.number("READS_IN_LINE", max(1, WEB_THREADS * 7 // 16))
WRITES_IN_FLIGHT = environment.number("WRITES_IN_FLIGHT", max(4, WEB_THREADS // 8))
WRITES_IN_LINE = environment.number("WRITES_IN_LINE", max(1, WEB_THREADS // 4))
LINE_SECONDS = 1.0
WAITING_REPLIES = environment.number("WAITING_REPLIES", max(1, WEB_THREADS // 8))
PUBLIC_BODIES = environment.number("PUBLIC_BODIES", max(1, WEB_THREADS // 8))

# Reads and writes each have connections of their own: as many as are let in at a time, and some
# for what is not counted there, such as looking up a token or the current versions.
SPARE_CONNECTIONS = 2
DATABASES = {
    "default": environment.database(
        _DATABASE_URL,
        **_CONNECTION,
        pool=_pool(WRITES_IN_FLIGHT + SPARE_CONNECTIONS),
        options=f"{_PLANNED_ONCE} {_BY_INDEX} {_NEVER_IDLE_FOR_LONG}",
    ),
    "reads": environment.database(
        _DATABASE_URL,
        **_CONNECTION,
        pool=_pool(READS_IN_FLIGHT + SPARE_CONNECTIONS),
        options=f"{_PLANNED_ONCE} {_BY_INDEX} {_ONLY_READS}",
    ),
    # A session of its own for each proof, since its work tables go with it.
    "proof": environment.database(
        environment.service_url("PROOF_DATABASE_URL", _DATABASE_URL),
        **{**_CONNECTION, "prepare_threshold": None},
        options=f"{_BY_HASHING} {_NEVER_IDLE_FOR_LONG}",
    ),
}

# How long a process may go on serving the version that it knows as current.
CURRENT_VERSION_SECONDS = 0.1
METRICS_TOKEN = environment.text("METRICS_TOKEN")

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "EXCEPTION_HANDLER": "config.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Laurel",
    "DESCRIPTION": "An exact, real-time season leaderboard on PostgreSQL.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/",
    "POSTPROCESSING_HOOKS": [],
}

CELERY_BROKER_URL = environment.service_url("BROKER_URL", environment.NO_BROKER)
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {"leaderboard.tasks.publish_season": {"queue": "publish"}}
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 5}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "publish": {
        "task": "leaderboard.tasks.publish_seasons",
        "schedule": 1.0,
        "options": {"queue": "publish", "expires": 2.0},
    },
    "advance": {
        "task": "leaderboard.tasks.advance_seasons",
        "schedule": 1.0,
        "options": {"queue": "default", "expires": 2.0},
    },
    "windows": {
        "task": "leaderboard.tasks.make_windows",
        "schedule": 2.0,
        "options": {"queue": "default", "expires": 4.0},
    },
    "finalize": {
        "task": "leaderboard.tasks.finalize_seasons",
        "schedule": 5.0,
        "options": {"queue": "slow", "expires": 10.0},
    },
    "checksums": {
        "task": "leaderboard.tasks.take_checksums",
        "schedule": 2.0,
        "options": {"queue": "slow", "expires": 4.0},
    },
    "jobs": {
        "task": "leaderboard.tasks.run_jobs",
        "args": (["create_season", "create_series"],),
        "schedule": 1.0,
        "options": {"queue": "default", "expires": 2.0},
    },
    "slow-jobs": {
        "task": "leaderboard.tasks.run_jobs",
        "args": (["finalize_season", "verify_season", "rebuild_season", "drop_replaced"],),
        "schedule": 2.0,
        "options": {"queue": "slow", "expires": 4.0},
    },
    "verify-samples": {
        "task": "leaderboard.tasks.verify_seasons",
        "args": ("sample", 60.0),
        "schedule": 60.0,
        "options": {"queue": "default", "expires": 30.0},
    },
    # In the small hours, one season after the other; what waits longer is left for the next night.
    "verify-nightly": {
        "task": "leaderboard.tasks.verify_seasons",
        "args": ("whole", 20 * 3600.0),
        "schedule": crontab(hour="3", minute="0"),
        "options": {"queue": "slow", "expires": 3600.0},
    },
    "retire": {
        "task": "leaderboard.tasks.retire_seasons",
        "schedule": 60.0,
        "options": {"queue": "slow", "expires": 60.0},
    },
    "purge": {
        "task": "leaderboard.tasks.purge_seasons",
        "schedule": 2.0,
        "options": {"queue": "default", "expires": 4.0},
    },
    # Only a correction gives a final season new versions, and series leave many of them behind.
    "purge-final": {
        "task": "leaderboard.tasks.purge_seasons",
        "kwargs": {"final": True},
        "schedule": 60.0,
        "options": {"queue": "default", "expires": 60.0},
    },
}

# The admin's sessions and log-in surround the admin's addresses only; a read has no use for them.
SILENCED_SYSTEM_CHECKS = ["admin.E408", "admin.E409", "admin.E410"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "leaderboard": {"level": "INFO"},
        "scores": {"level": "INFO"},
        "seasons": {"level": "INFO"},
        "celery": {"level": "WARNING"},
        # A refused request is not worth a line; what went wrong, `config.problems` logs.
        "django.request": {"level": "CRITICAL"},
        # A pool reports each try to connect; whoever asked it for a connection says it once.
        "psycopg.pool": {"level": "ERROR"},
    },
}

# Whether nobody may approve a correction that they asked for themselves.
CORRECTIONS_NEED_TWO = environment.flag("CORRECTIONS_NEED_TWO", default=True)
# Shown beside the name of whoever works in the admin: production, staging, ...
ENVIRONMENT_NAME = environment.text("ENVIRONMENT_NAME", "development")

UNFOLD = {
    "SITE_TITLE": "Laurel",
    "SITE_HEADER": "Laurel",
    "SITE_SUBHEADER": "Exact leaderboards",
    "SITE_SYMBOL": "trophy",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": f"{STATIC_URL}laurel/icon.svg"}
    ],
    "SITE_URL": None,
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "leaderboard.admin.overview.overview",
    "ENVIRONMENT": "config.admin.navigation.environment",
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": "config.admin.navigation.navigation",
    },
}
