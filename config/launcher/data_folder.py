"""The folder that keeps everything between two runs: DATA_DIR."""

import errno
import fcntl
import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.launcher.errors import CannotRun


@dataclass(frozen=True)
class DataFolder:
    """The places in it."""

    path: Path

    @property
    def postgres(self) -> Path:
        """Return the cluster's folder."""
        return self.path / "postgres"

    @property
    def postgres_log(self) -> Path:
        """Return where PostgreSQL writes what happened."""
        return self.path / "postgres.log"

    @property
    def valkey(self) -> Path:
        """Return the broker's folder."""
        return self.path / "valkey"

    @property
    def valkey_log(self) -> Path:
        """Return where the broker writes what happened."""
        return self.path / "valkey.log"

    @property
    def token(self) -> Path:
        """Return where the token of the first match service is."""
        return self.path / "match-service.token"

    @property
    def beat_schedule(self) -> Path:
        """Return where beat keeps when each task ran last."""
        return self.path / "celerybeat-schedule"

    def secret(self, name: str) -> str:
        """Return the secret of that file, made at the first call."""
        return self.remembered(name, lambda: secrets.token_urlsafe(32))

    def remembered(self, name: str, make: Callable[[], str]) -> str:
        """Return the text of a private file, which is made at the first call."""
        with suppress(FileNotFoundError):
            if text := (self.path / name).read_text("utf-8").strip():
                return text
        text = make()
        self.write(name, text)
        return text

    def write(self, name: str, text: str) -> None:
        """Write a file that only its owner may read, whole or not at all."""
        draft = self.path / f"{name}.new"
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / name)

    def numbers(self, name: str) -> dict[str, int]:
        """Return the numbers that `write_json` kept; none if the file is missing or broken."""
        try:
            found = json.loads((self.path / name).read_text("utf-8"))
            return {str(key): int(value) for key, value in found.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def write_json(self, name: str, content: dict[str, Any]) -> None:
        """Write a private JSON file."""
        self.write(name, json.dumps(content))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other launcher away from this folder."""
        descriptor = os.open(self.path / "launcher.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotRun(
                    f"Laurel already runs on the data folder {self.path}: "
                    "stop it first, or choose another folder by DATA_DIR."
                ) from None
            yield
        finally:
            os.close(descriptor)


def open_data_folder(path: Path) -> DataFolder:
    """Return the folder at `path`, made if it is missing, after trying to write in it."""
    try:
        folder = DataFolder(path.resolve())
        # Others may pass through it, for PostgreSQL may run as another user; each file is closed.
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o711)
        (folder.path / "launcher.lock").touch(mode=0o600)
        _check_ours(folder)
    except OSError as problem:
        raise CannotRun(_cannot_use(path.absolute(), problem)) from None
    return folder


def _check_ours(folder: DataFolder) -> None:
    for path in folder.path.iterdir():
        wanted = os.R_OK | os.X_OK if path.is_dir() else os.R_OK | os.W_OK
        if path.name != "lost+found" and not os.access(path, wanted):
            raise PermissionError(errno.EACCES, f"{path.name} in it belongs to another user")


def _cannot_use(path: Path, problem: OSError) -> str:
    return (
        f"The data folder {path} cannot be used ({problem.strerror}): "
        "make it writable for this user, or choose another one by DATA_DIR."
    )
