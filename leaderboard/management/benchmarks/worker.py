"""What a process of the load runs: `python -m …worker ROLE ARGUMENTS`, until its input ends."""

import json
import logging
import os
import select
import sys
from typing import Any

import django


class Parent:
    """The benchmark that started this process, at the other end of input and output."""

    def say(self, **facts: Any) -> None:
        """Tell it something."""
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()

    def has_ended(self, within: float = 0.0) -> bool:
        """Wait so many seconds at most; return whether it wants no more."""
        readable, _, _ = select.select([sys.stdin], [], [], max(within, 0.0))
        return bool(readable) and not os.read(sys.stdin.fileno(), 1)

    def goes_on(self) -> bool:
        """Wait until it says to go on; False: it wants no more."""
        return bool(os.read(sys.stdin.fileno(), 1))


def main(role: str, arguments: str) -> None:
    """Run a role of `roles` with arguments in JSON."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    logging.disable(logging.INFO)
    # Its imports need the apps that `setup` makes ready.
    from leaderboard.management.benchmarks import roles

    roles.ROLES[role](Parent(), **json.loads(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
