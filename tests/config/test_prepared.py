"""Statements that run prepared and past a cursor: what comes back, and what goes wrong."""

from typing import Any

import psycopg
import pytest

from config import prepared
from tests.own_database import connect

NAMES = b"SELECT name FROM pg_prepared_statements ORDER BY prepare_time"


@pytest.fixture
def connection(shared: str) -> Any:
    with connect(shared) as connection:
        yield connection


def fetched(connection: Any, text: str, *values: Any) -> list[tuple[Any, ...]]:
    return prepared.run(connection, text.encode(), values).fetchall()


def test_values_come_back_as_they_went_in(connection: Any) -> None:
    text = "SELECT $1::int8, $2::text, $3::int4[], $4::float8, $5::text"
    values = (2**40, "ä%s", [1, -2], 0.5, None)
    assert fetched(connection, text, *values) == [values]
    assert prepared.run(connection, b"SELECT 1 WHERE false", ()).rowcount == 0


def test_a_statement_is_prepared_once_for_the_types_that_it_is_given(connection: Any) -> None:
    for value in (1, 2, 3):
        fetched(connection, "SELECT $1::int8", value)
    assert len(fetched(connection, NAMES.decode())) == 2
    fetched(connection, "SELECT $1::int8", 2**40)
    assert len(fetched(connection, NAMES.decode())) == 3


def test_of_too_many_statements_the_one_used_longest_ago_goes(
    connection: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(prepared, "STATEMENTS_KEPT", 3)
    for number in (1, 2, 1, 3, 1, 4, 1):
        assert fetched(connection, f"SELECT {number}") == [(number,)]
    texts = [
        text for (text,) in connection.execute("SELECT statement FROM pg_prepared_statements")
    ]
    assert sorted(texts) == ["SELECT 1", "SELECT 3", "SELECT 4"]


@pytest.mark.parametrize(
    ("text", "values", "error"),
    [
        ("SELEC 1", (), psycopg.errors.SyntaxError),
        ("SELECT 1 / $1::int4", (0,), psycopg.errors.DivisionByZero),
        ("SELECT $1::int4", ("x",), psycopg.errors.InvalidTextRepresentation),
    ],
)
def test_an_error_is_psycopgs_own_and_leaves_the_connection_usable(
    connection: Any, text: str, values: tuple[Any, ...], error: type[Exception]
) -> None:
    with pytest.raises(error):
        fetched(connection, text, *values)
    assert fetched(connection, "SELECT 2") == [(2,)]


def test_a_statement_that_takes_too_long_is_cancelled(connection: Any) -> None:
    connection.execute("SET statement_timeout = '20ms'")
    with pytest.raises(psycopg.errors.QueryCanceled):
        fetched(connection, "SELECT pg_sleep(10)")
    assert not connection.closed


def test_a_lost_connection_is_told_from_a_failed_statement(connection: Any, shared: str) -> None:
    with connect(shared) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        fetched(connection, "SELECT 1")
    assert connection.closed
