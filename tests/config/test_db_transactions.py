"""config.db: statements and the transactions they run in."""

from functools import partial
from typing import Any

import pytest
from django.db import connections, transaction

from config import db
from scores.operations import apply_correction, apply_events
from scores.steps import purge_undo
from seasons.models import Season
from seasons.operations import seal_epoch
from seasons.steps import write_behind_fence
from tests.factories import apply, correction, event

ONE = db.Statement("SELECT 1 AS one")
TWO = db.Statement("SELECT 1 AS one UNION ALL SELECT 2")


def season_id(slug: str) -> int:
    return Season.objects.get(slug=slug).id


def test_a_statement_is_its_file_without_comments() -> None:
    loaded = db.statement(seal_epoch.__code__.co_filename, "delete_seals")
    assert loaded == (
        "DELETE FROM seasons_seal\nWHERE\nseason_id = %(season_id)s\n"
        "AND epoch > %(after_epoch)s\nAND epoch <= %(to_epoch)s"
    )


def test_only_integers_of_a_season_are_written_into_a_statement() -> None:
    statement = db.Statement("SELECT %(namespace)s, %(season_id)s, %(player_id)s")
    assert statement.literal(namespace=7, season_id=8) == "SELECT 7, 8, %(player_id)s"
    with pytest.raises(ValueError, match="player_id"):
        statement.literal(player_id=1)
    text: Any = "1; DROP TABLE seasons_season"
    with pytest.raises(ValueError, match="invalid literal"):
        statement.literal(namespace=text)


def test_at_most_one_row_is_one_or_none(shared: str) -> None:
    assert db.fetch_one(int, ONE) == 1
    assert db.fetch_one(int, db.Statement("SELECT 1 WHERE false")) is None
    with pytest.raises(ValueError, match="got 2"):
        db.fetch_one(int, TWO)
    assert db.fetch_all(int, TWO) == [1, 2]


def test_a_step_outside_a_transaction_is_refused(shared: str) -> None:
    with pytest.raises(db.NotInTransaction):
        purge_undo(1, oldest_before=0, oldest=1)


@pytest.mark.parametrize("opened_by", ["django", "the fence"])
def test_an_operation_inside_a_transaction_is_refused_and_ends_nothing(
    slug: str, opened_by: str
) -> None:
    number = season_id(slug)
    operations: list[partial[Any]] = [
        partial(apply_events, slug, [event("ann", 10)]),
        partial(apply_correction, slug, correction("ann", 1)),
        partial(seal_epoch, number),
    ]
    outer = transaction.atomic() if opened_by == "django" else write_behind_fence(number)
    with outer:
        Season.objects.filter(id=number).update(name="not committed yet")
        for operation in operations:
            with pytest.raises(db.InTransaction):
                operation()
        assert Season.objects.using("reads").get(id=number).name == slug
    assert Season.objects.using("reads").get(id=number).name == "not committed yet"


def test_what_fails_inside_a_transaction_leaves_none_open(slug: str) -> None:
    def fail() -> None:
        with write_behind_fence(season_id(slug)):
            Season.objects.filter(slug=slug).update(name="never")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert Season.objects.get(slug=slug).name == slug
    assert apply(slug, event("ann", 10))[0].outcome == "improved"


def test_a_writer_reads_what_was_committed_while_it_waited(slug: str) -> None:
    with write_behind_fence(season_id(slug)):
        level = db.fetch_one(str, db.Statement("SELECT current_setting('transaction_isolation')"))
        assert level == "read committed"
        assert connections["default"].connection.info.transaction_status.name == "INTRANS"
