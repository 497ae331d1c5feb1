"""Times that come in, and how they go out."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.http.times import EARLIEST, LATEST, read_time, show_time


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00.000000Z"),
        ("2026-05-01t12:00:00z", "2026-05-01T12:00:00.000000Z"),
        ("2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00.000000Z"),
        ("2026-05-01T12:00:00-00:00", "2026-05-01T12:00:00.000000Z"),
        ("2026-05-01T12:00:00.1Z", "2026-05-01T12:00:00.100000Z"),
        ("2026-05-01T12:00:00.123456Z", "2026-05-01T12:00:00.123456Z"),
        ("2026-05-01T12:00:00.1234569Z", "2026-05-01T12:00:00.123456Z"),
        ("2026-05-01T12:00:00.999999999Z", "2026-05-01T12:00:00.999999Z"),
        ("2024-02-29T00:00:00+23:59", "2024-02-28T00:01:00.000000Z"),
    ],
)
def test_a_time_is_read_to_the_microsecond(text: str, wanted: str) -> None:
    assert show_time(read_time(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-05-01",
        "2026-05-01T12:00:00",
        "2026-05-01 12:00:00Z",
        "2026-05-01T12:00Z",
        "2026-05-01T12:00:60Z",
        "2026-12-31T23:59:60Z",
        "2026-05-01T24:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-05-00T12:00:00Z",
        "2026-05-01T12:00:00.Z",
        "2026-05-01T12:00:00.1234567890Z",
        "2026-05-01T12:00:00,5Z",
        "2026-05-01T12:00:00+24:00",
        "2026-05-01T12:00:00+01:60",
        "2026-05-01T12:00:00+0100",
        "2026-05-01T12:00:00Z\n",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "9999-12-31T23:59:59Z",
        "٢026-05-01T12:00:00Z",
        "1767225600",
    ],
)
def test_anything_else_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        read_time(text)


@given(
    st.datetimes(
        EARLIEST.replace(tzinfo=None) + timedelta(1), LATEST.replace(tzinfo=None) - timedelta(1)
    ),
    st.integers(-1439, 1439),
)
def test_any_offset_names_the_same_instant(at: datetime, offset: int) -> None:
    instant = at.replace(tzinfo=UTC)
    elsewhere = instant.astimezone(timezone(timedelta(minutes=offset)))
    assert read_time(elsewhere.isoformat()) == instant
    assert read_time(show_time(instant)) == instant
    assert len(show_time(instant)) == 27
