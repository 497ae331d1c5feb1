"""A rebuild in a process of its own, which stops before a statement until it is killed."""

import os
import sys

import django

REACHED = "reached"


def main(slug: str, statement: str, number: str) -> None:
    """Rebuild a season up to the nth statement that begins so; then say so, and wait."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # Its imports need the apps that `setup` makes ready.
    from config import db
    from leaderboard.operations.rebuild import drop_replaced, rebuild_season

    run, run_script = db._run, db.run_script
    left = [int(number)]

    def watch(text: str) -> None:
        if text.startswith(statement):
            if left[0] == 0:
                sys.stdout.write(f"{REACHED}\n")
                sys.stdout.flush()
                sys.stdin.read()
            left[0] -= 1

    def watched_run(sql: db.Statement, *arguments: object) -> object:
        watch(sql)
        return run(sql, *arguments)  # type: ignore[arg-type]

    def watched_script(sql: str, **options: str) -> None:
        watch(sql)
        run_script(sql, **options)

    db._run, db.run_script = watched_run, watched_script  # type: ignore[assignment]
    rebuild_season(slug)
    drop_replaced(slug)


if __name__ == "__main__":
    main(*sys.argv[1:])
