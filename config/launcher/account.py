"""Whom PostgreSQL runs as: it refuses to be root."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from config.launcher.errors import CannotRun

ORDINARY_USERS = ("postgres", "nobody")


class PopenArguments(TypedDict, total=False):
    """The arguments of `subprocess.Popen` that change the user."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class Account:
    """A user and group to become when a process starts, and a command to put before its own."""

    user: int | None = None
    group: int | None = None
    prefix: tuple[str, ...] = ()

    def popen_arguments(self) -> PopenArguments:
        """Return what `subprocess.Popen` has to be told; a prefix changes the user by itself."""
        if self.user is None or self.group is None or self.prefix:
            return {}
        return {"user": self.user, "group": self.group, "extra_groups": []}

    def give(self, path: Path) -> None:
        """Make the account the owner of a file or a folder with all that is in it."""
        if self.user is None or self.group is None:
            return
        for found in [path, *path.rglob("*")]:
            os.chown(found, self.user, self.group, follow_symlinks=False)


MYSELF = Account()


def account_for(program: Path, data: Path) -> Account:
    """
    Return the account that runs the program on the data folder.

    An ordinary user stays one. Root becomes the owner of existing data, else an
    ordinary user of the system; where that user cannot enter the folders (a project
    below /root), it keeps the one capability that lets it pass.
    """
    if os.geteuid() != 0:
        return MYSELF
    account = _ordinary_account(data)
    for attempt in (account, _passing_closed_folders(account)):
        if attempt is not None and _can_run(attempt, program, _existing(data)):
            return attempt
    raise CannotRun(
        f"PostgreSQL does not run as root, and no ordinary user can reach {program} and {data}: "
        "move the project and DATA_DIR out of closed folders, or run this as an ordinary user."
    )


def _ordinary_account(data: Path) -> Account:
    owner = data.stat().st_uid if data.exists() else 0
    if owner != 0:
        return Account(owner, data.stat().st_gid)
    for name in ORDINARY_USERS:
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(user.pw_uid, user.pw_gid)
    return Account(65534, 65534)


def _passing_closed_folders(account: Account) -> Account | None:
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return None
    options = (
        f"--reuid={account.user}",
        f"--regid={account.group}",
        "--clear-groups",
        "--inh-caps=+dac_override",
        "--ambient-caps=+dac_override",
        # Without it access(2), by which initdb looks for its neighbours, ignores the capability.
        "--securebits=+no_setuid_fixup",
        "--pdeathsig=INT",
        "--",
    )
    return Account(account.user, account.group, (setpriv, *options))


def _can_run(account: Account, program: Path, data: Path) -> bool:
    script = 'test -x "$1" && "$0" --version'
    command = [*account.prefix, "/bin/sh", "-c", script, str(program), str(data)]
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, cwd="/", **account.popen_arguments()
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())
