"""
Lists as PostgreSQL writes arrays: a batch sends some twenty of a thousand elements.

psycopg looks at each element several times. JSON's notation of integers, texts, times and
null inside brackets is PostgreSQL's inside braces, but for what it writes with a backslash,
and msgspec writes it in one go.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

_KINDS = frozenset({int, str, datetime})


def array_text(values: Sequence[Any]) -> str | None:
    """
    Return a list of integers, texts or times, or None among them, as PostgreSQL writes it.

    None for a list of anything else. All elements must be of one kind.
    """
    kind = next((type(value) for value in values if value is not None), int)
    if kind not in _KINDS:
        return None
    inside = msgspec.json.encode(values)[1:-1].decode()
    if "\\" in inside:
        inside = ",".join(map(_quoted, values))
    return "{" + inside + "}"


def _quoted(text: str | None) -> str:
    if text is None:
        return "null"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
