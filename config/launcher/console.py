"""The only place that writes to the terminal."""

import sys
from contextlib import suppress
from typing import TextIO


def say(text: str) -> None:
    """Print a line; a terminal that went away does not stop the server."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Print a line to the error output."""
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    # What the terminal's alphabet lacks becomes a question mark.
    known = text.encode(stream.encoding, "replace").decode(stream.encoding)
    with suppress(OSError):
        stream.write(f"{known}\n")
        stream.flush()
