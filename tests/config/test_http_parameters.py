"""What may stand in a path, a query or a Prefer header."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InvalidParameter
from config.http import parameters

NO_LIMITS = ["0", "-1", "+1", "abc", "1.5", "007", "101", "1" + "0" * 30, "", " 1", "1 ", "1e1"]
NO_LIMITS += ["٣", "1\n", "\u00b2", "0x1", "1_0", "9" * 5000]


@pytest.mark.parametrize("text", NO_LIMITS)
def test_a_limit_is_a_plain_decimal_in_its_range(text: str) -> None:
    query = QueryDict(mutable=True)
    query["limit"] = text
    with pytest.raises(InvalidParameter, match="from 1 to 100"):
        parameters.limit(query, highest=100, default=10)


@given(st.integers(1, 100))
def test_every_limit_within_the_range_is_taken(number: int) -> None:
    assert parameters.limit(QueryDict(f"limit={number}"), highest=100, default=10) == number


@given(st.text())
def test_no_text_at_all_makes_an_integer_fail_otherwise(text: str) -> None:
    try:
        number = parameters.plain_integer("limit", text, 0, 100)
    except InvalidParameter:
        return
    assert str(number) == text


def test_an_absent_limit_is_the_default() -> None:
    assert parameters.limit(QueryDict("other=1"), highest=100, default=10) == 10


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="more than once"):
        parameters.limit(QueryDict("limit=1&limit=2"), highest=100, default=10)


@pytest.mark.parametrize(
    "text",
    [
        "steam:76561198122624102",
        "auth0|5f7c8ec7",
        "x,y=z",
        "a.b",
        "7",
        "00012",
        "-",
        "a" * 64,
        "6f1e7f0e-8a5b-4b0c-9f3e-1c2d3e4f5a6b",
    ],
)
def test_an_identifier_stays_as_it_is(text: str) -> None:
    assert parameters.identifier("player_id", text) == text


@pytest.mark.parametrize(
    "text",
    ["a/b", "..", "", "a" * 65, "😀", "a b", "a\0", "a\n", ".a", ":a", "é", "%00", "\ud800"],
)
def test_anything_else_is_no_identifier(text: str) -> None:
    with pytest.raises(InvalidParameter, match="player_id must match"):
        parameters.identifier("player_id", text)


@pytest.mark.parametrize("text", ["demo", "a", "0", "a-", "a" * 63])
def test_a_season_is_named_by_a_slug(text: str) -> None:
    assert parameters.season_slug(text) == text


@pytest.mark.parametrize("text", ["", "-a", "A", "a_b", "a" * 64, "a\n", "ä", "a.b"])
def test_anything_else_is_no_slug(text: str) -> None:
    with pytest.raises(InvalidParameter, match="season_id must match"):
        parameters.season_slug(text)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("", None),
        ("version=final", "final"),
        ("version=0", 0),
        (f"version={10**15 - 1}", 10**15 - 1),
    ],
)
def test_a_version_is_a_number_or_final(query: str, wanted: object) -> None:
    assert parameters.version(QueryDict(query)) == wanted


@pytest.mark.parametrize(
    "text", ["Final", "-1", "", "01", str(10**15), str(2**63), "1" + "0" * 40]
)
def test_anything_else_is_no_version(text: str) -> None:
    with pytest.raises(InvalidParameter):
        parameters.version(QueryDict(f"version={text}"))
    with pytest.raises(InvalidParameter):
        parameters.min_version(QueryDict(f"min_version={text}"))


def test_a_region_is_a_short_code() -> None:
    assert parameters.region(QueryDict("region=eu-west_1")) == "eu-west_1"
    assert parameters.region(QueryDict("")) is None
    for wrong in ["", "-", "a b", "a" * 33]:
        with pytest.raises(InvalidParameter):
            parameters.region(QueryDict(f"region={wrong}"))


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [
        ("", 0),
        ("wait=1", 1),
        ("wait=5", 5),
        ("WAIT = 3", 3),
        ("respond-async, wait=2", 2),
        ("wait=2; foo=bar, handling=lenient", 2),
        ('wait="4"', 4),
        ("wait=60", 5),
        ("wait=0", 0),
        ("wait=-1", 0),
        ("wait=abc", 0),
        ("wait=1.5", 0),
        ("await=3", 0),
        ("wait=99999999999999", 0),
    ],
)
def test_what_a_client_prefers_is_never_an_error(prefer: str, seconds: int) -> None:
    assert parameters.wait_seconds(prefer) == seconds
