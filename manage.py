#!/usr/bin/env python
"""Run a management command."""

import os
import sys

NO_DATABASE = (
    "The database cannot be reached. `make run` starts one in DATA_DIR (.data); "
    "DATABASE_URL names another."
)


def main() -> None:
    """Run the command named on the command line; say in one sentence if there is no database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as failure:
        if os.environ.get("LAUREL_TRACEBACK"):
            raise
        sys.exit(f"{NO_DATABASE} ({str(failure).splitlines()[0]})")


if __name__ == "__main__":
    main()
