"""Costs as a benchmark could have measured them, in round numbers."""

import json
from pathlib import Path

from leaderboard.management.capacity import Costs
from leaderboard.management.capacity.kept import Cost

ROUND = {
    "web_us.top": 50.0,
    "web_us.rank": 250.0,
    "db_us.top": 0.0,
    "db_us.rank": 50.0,
    "web_us.improving": 30.0,
    "web_us.mixed": 20.0,
    "db_us.improving": 100.0,
    "db_us.mixed": 50.0,
    "wal_bytes.improving": 2_000.0,
    "wal_bytes.mixed": 1_000.0,
    "publish_s.fixed": 0.1,
    "publish_s.change": 5e-6,
    "publish_cpu_s.fixed": 0.05,
    "publish_cpu_s.change": 1e-6,
    "publish_db_s.fixed": 0.05,
    "publish_db_s.change": 3e-6,
    "publish_wal_bytes.fixed": 400_000.0,
    "publish_wal_bytes.change": 100.0,
    "stored_bytes.best": 200.0,
    "stored_bytes.event": 400.0,
    "memory_mb.web": 120.0,
    "reply_bytes.top": 7_000.0,
    "reply_bytes.rank": 600.0,
    "rebuild_us.player": 15.0,
}


def kept(**others: float) -> dict[str, Cost]:
    """Return them with some others, whose keys have `__` for the dot."""
    values = {**ROUND, **{key.replace("__", "."): value for key, value in others.items()}}
    return {key: Cost(value, "", 1_000_000, "2026-12-01") for key, value in values.items()}


def measured(**others: float) -> Costs:
    """Return them as the plan takes them."""
    return Costs(kept(**others))


def written(file: Path, **others: float) -> Path:
    """Write them as the benchmark would have, and return the file."""
    file.write_text(json.dumps({key: cost._asdict() for key, cost in kept(**others).items()}))
    return file
