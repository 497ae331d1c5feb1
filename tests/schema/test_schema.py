"""The committed schema is what the migrations make; migrations go up, down, and are complete."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from config.launcher.binaries import find_postgres

SCHEMA = Path(__file__).with_name("schema.sql")
DUMPED_BY = 18
OURS = ("seasons", "scores", "leaderboard")


def dumped(database: str) -> str:
    """Return the database's schema as pg_dump says it, without what differs by machine."""
    described = connections.settings["default"]
    pg_dump = find_postgres(os.environ).folder / "pg_dump"
    done = subprocess.run(
        [pg_dump, "--schema-only", "--no-owner", "--no-privileges", database],
        env={
            **os.environ,
            "PGHOST": described["HOST"],
            "PGPORT": described["PORT"],
            "PGUSER": described["USER"],
            "PGPASSWORD": described["PASSWORD"],
        },
        capture_output=True,
        text=True,
        check=True,
    )
    kept = [line for line in done.stdout.splitlines() if not re.match(r"--|SET |SELECT |\\", line)]
    return re.sub(r"\n{2,}", "\n\n", "\n".join(kept)).strip() + "\n"


def tables_of_ours() -> list[str]:
    return [
        name
        for name in connections["default"].introspection.table_names()
        if name.startswith(OURS)
    ]


def test_the_committed_schema_is_what_the_migrations_make(database: str) -> None:
    """`UPDATE_SCHEMA=1 make test PYTEST_ARGS=tests/schema` writes it anew."""
    major = connections["default"].pg_version // 10_000  # type: ignore[attr-defined]
    if major != DUMPED_BY:
        pytest.skip(f"schema.sql is a dump of PostgreSQL {DUMPED_BY}, this is {major}")
    found = dumped(database)
    if os.environ.get("UPDATE_SCHEMA"):
        SCHEMA.write_text(found, "utf-8")
    assert found == SCHEMA.read_text("utf-8")


def test_no_migration_is_missing(database: str) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_the_migrations_go_down_to_nothing_and_up_again(database: str) -> None:
    before = sorted(tables_of_ours())
    for app in reversed(OURS):
        call_command("migrate", app, "zero", verbosity=0)
    assert tables_of_ours() == []
    call_command("migrate", verbosity=0)
    assert sorted(tables_of_ours()) == before


def test_the_migrations_go_down_with_seasons_in_the_database(season: str) -> None:
    for app in reversed(OURS):
        call_command("migrate", app, "zero", verbosity=0)
    assert tables_of_ours() == []


def test_every_sequence_has_room_for_a_million_duplicates_a_second(database: str) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT sequencename, max_value FROM pg_sequences"
            " WHERE sequencename LIKE 'scores%' OR sequencename LIKE 'leaderboard%'"
        )
        sequences: list[Any] = cursor.fetchall()
    assert {"scores_ledger_id", "scores_tally_id"} <= {name for name, _ in sequences}
    assert all(largest == 2**63 - 1 for _, largest in sequences)
