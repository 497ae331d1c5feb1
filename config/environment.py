"""What the process is told from outside: variables, and the services that `make run` started."""

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

NOWHERE = "postgresql://laurel@127.0.0.1:1/laurel"
NO_BROKER = "redis://127.0.0.1:1/0"


def data_dir() -> Path:
    """Return the folder of the embedded services, `.data` unless DATA_DIR names another."""
    return Path(os.environ.get("DATA_DIR", ".data")).absolute()


def service_url(variable: str, fallback: str) -> str:
    """Return the variable, else what the launcher wrote down, else an address nobody has."""
    if os.environ.get(variable):
        return os.environ[variable]
    return str(_running_services().get(variable.lower(), fallback))


def database(url: str, **options: Any) -> dict[str, Any]:
    """Return Django's description of the PostgreSQL database that a URL names."""
    parts = urlsplit(url)
    return {
        "ENGINE": "config.backend",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {**dict(parse_qsl(parts.query)), **options},
    }


def secret_key() -> str:
    """Return SECRET_KEY, else the one that the launcher made, else one for development."""
    if os.environ.get("SECRET_KEY"):
        return os.environ["SECRET_KEY"]
    try:
        return (data_dir() / "secret.key").read_text("utf-8").strip()
    except OSError:
        return "development-only-key-that-signs-nothing-of-value"


def flag(variable: str, *, default: bool = False) -> bool:
    """Return whether a variable says yes."""
    return os.environ.get(variable, str(default)).lower() in {"1", "true", "yes", "on"}


def text(variable: str, default: str = "") -> str:
    """Return the variable as it stands."""
    return os.environ.get(variable, default)


def number(variable: str, default: int) -> int:
    """Return the variable as an integer."""
    return int(os.environ.get(variable, default))


def _running_services() -> dict[str, Any]:
    try:
        found = json.loads((data_dir() / "services.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
