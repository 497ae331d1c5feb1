"""The only place that writes to the terminal."""

import sys


def say(text: str) -> None:
    """Print a line; a terminal that went away does not stop the server."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError:
        return


def complain(text: str) -> None:
    """Print a line to the error output."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        return
