"""Replies that are put together of a beginning and a kept end, plain and compressed."""

import gzip
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.http.accept import takes_coding
from config.http.joined import ending, joined, joined_gzip

MEMBERS = st.dictionaries(st.text(max_size=9), st.integers() | st.text(max_size=300), min_size=1)


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


@given(MEMBERS, MEMBERS)
def test_the_members_of_both_follow_each_other(first: Any, then: Any) -> None:
    whole = joined(encoded(first), ending(encoded(then)))
    assert json.loads(whole) == {**first, **then}
    assert gzip.decompress(joined_gzip(encoded(first), ending(encoded(then)))) == whole


def test_it_is_one_stream_that_any_reader_reads_to_its_end() -> None:
    entries = ending(encoded({"entries": list(range(5_000))}))
    stream = joined_gzip(encoded({"version": 3}), entries)
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    assert json.loads(reader.decompress(stream))["version"] == 3
    assert (reader.eof, reader.unused_data) == (True, b"")
    assert len(stream) < len(entries.content) / 2


def test_a_beginning_that_does_not_fit_a_piece_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        joined_gzip(encoded({"long": "x" * 70_000}), ending(b'{"a":1}'))


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("", False),
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("*", True),
        ("*;q=0", False),
        ("identity", False),
        ("deflate, br", False),
    ],
)
def test_who_asks_for_gzip(header: str, taken: bool) -> None:  # noqa: FBT001
    assert takes_coding(header, "gzip") is taken
