"""config.arrays: lists arrive in the database as they were sent."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import db
from config.arrays import array_text

TEXTS = db.Statement("SELECT %(values)s::text [] AS sent")
INTEGERS = db.Statement("SELECT %(values)s::bigint [] AS sent")
TIMES = db.Statement("SELECT %(values)s::timestamptz [] AS sent")

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
integers = st.integers(-(2**63), 2**63 - 1)
times = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


def returned(statement: db.Statement, values: list[Any]) -> Any:
    return db.fetch_one(lambda sent: sent, statement, values=values)


@pytest.mark.usefixtures("database")
def test_lists_come_back_as_they_were_sent() -> None:
    @given(st.lists(st.none() | texts), st.lists(st.none() | integers), st.lists(times))
    def sent(words: list[str | None], numbers: list[int | None], moments: list[datetime]) -> None:
        assert returned(TEXTS, words) == words
        assert returned(INTEGERS, numbers) == numbers
        assert returned(TIMES, moments) == moments

    sent()


@pytest.mark.parametrize(
    "word", ["", "NULL", "null", "{}", 'a"b', "a\\b", "a,b", " a ", "\n", "ä"]
)
@pytest.mark.usefixtures("database")
def test_a_text_is_never_taken_for_notation(word: str) -> None:
    assert returned(TEXTS, [word, None, "plain"]) == [word, None, "plain"]


@pytest.mark.parametrize("values", [[b"bytes"], [1.5], [True], [[1], [2]]])
def test_lists_of_other_kinds_are_left_to_psycopg(values: list[Any]) -> None:
    assert array_text(values) is None
