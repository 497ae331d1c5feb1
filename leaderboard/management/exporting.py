"""Write rows to a file that is there whole, with its checksum beside it, or not at all."""

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
Formatter = Callable[[Sequence[Row]], str]


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows as lines of CSV (RFC 4180), without a head."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()


def as_ndjson(rows: Sequence[Row]) -> str:
    """Return rows as lines of JSON."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


FORMATS: Mapping[str, Formatter] = {"csv": as_csv, "ndjson": as_ndjson}


def write_whole(
    path: Path, columns: Sequence[str], pages: Iterable[Sequence[Row]], form: str
) -> Iterator[int]:
    """
    Write pages of rows to a file and yield how many rows each had.

    The file gets its name when it is complete and on the disk; until then, and after a run
    that was broken off, it is `NAME.part`. `NAME.sha256` has its checksum as sha256sum
    writes it.
    """
    part = path.with_name(f"{path.name}.part")
    digest = hashlib.sha256()
    with part.open("wb") as file:
        for content, rows in _contents(columns, pages, form):
            digest.update(content)
            file.write(content)
            yield rows
        file.flush()
        os.fsync(file.fileno())
    line = f"{digest.hexdigest()}  {path.name}\n"
    path.with_name(f"{path.name}.sha256").write_text(line, "utf-8")
    part.replace(path)


def _contents(
    columns: Sequence[str], pages: Iterable[Sequence[Row]], form: str
) -> Iterator[tuple[bytes, int]]:
    if form == "csv":
        yield (",".join(columns) + "\r\n").encode(), 0
    for page in pages:
        yield FORMATS[form](page).encode(), len(page)


def _cell(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value
