"""How a body is read: right ones fast, wrong ones with every fault named."""

import io
import json
from typing import Annotated, Any

import msgspec
import pytest
from django.core.handlers.wsgi import WSGIRequest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, Struct, UnsetType

from config.errors import (
    MalformedJson,
    PayloadTooLarge,
    Refusal,
    UnsupportedMediaType,
    ValidationFailed,
)
from config.http.bodies import LARGEST_BODY, Form, body_of
from config.http.fields import Identifier, ScoreVersion, ShortText, Time
from config.http.times import read_time


class Item(Struct, forbid_unknown_fields=True):
    id: Identifier
    version: ScoreVersion
    at: Time
    note: ShortText | UnsetType | None = UNSET


class Items(Struct, forbid_unknown_fields=True):
    items: Annotated[list[Item], Meta(min_length=1, max_length=3)]


FORM: Form[Item, Item] = Form(Item, lambda item: item)
LIST: Form[Items, Items] = Form(Items, lambda items: items)
RIGHT = {"id": "a", "version": 1, "at": "2026-05-01T12:00:00Z"}


def faults(form: Form[Any, Any], body: object) -> list[tuple[str, str]]:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(ValidationFailed) as refused:
        form.read(text)
    return [(fault.pointer, fault.code) for fault in refused.value.faults]


def with_version(text: str) -> bytes:
    return b'{"id":"a","at":"2026-05-01T12:00:00Z","version":%s}' % text.encode()


def test_a_right_body_is_what_it_says() -> None:
    assert FORM.read(json.dumps(RIGHT).encode()) == Item("a", 1, "2026-05-01T12:00:00Z")


@pytest.mark.parametrize("text", ["1.0", "12.0", "1e3", "1e400", '"12"', "true", "null", "[]"])
def test_only_a_json_integer_is_an_integer(text: str) -> None:
    assert faults(FORM, with_version(text)) == [("/version", "type")]


@pytest.mark.parametrize("text", ["0", "-1", "-0", str(2**53), str(2**64), "9" * 5000])
def test_an_integer_lies_in_its_range(text: str) -> None:
    assert faults(FORM, with_version(text)) == [("/version", "out_of_range")]


@pytest.mark.parametrize(
    "body",
    [
        with_version("NaN"),
        with_version("Infinity"),
        with_version("-Infinity"),
        with_version("01"),
        with_version("1,"),
        b"",
        b" ",
        b"{",
        b"{}x",
        b"{'a': 1}",
        b"\xff",
        b'{"id": "\xed\xa0\x80"}',
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b"[" * 100_000,
        b'{"id":' * 100_000,
    ],
)
def test_what_is_not_json_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedJson):
        FORM.read(body)


@pytest.mark.parametrize(
    "body",
    [
        b'{"id":"a","id":"b","version":1,"at":"2026-05-01T12:00:00Z"}',
        b'{"id":"a","\\u0069d":"b","version":1,"at":"2026-05-01T12:00:00Z"}',
        b'{"id":"a","version":1,"version":2,"at":"2026-05-01T12:00:00Z"}',
        b'{"id":"a","id":"b","version":1,"at":"2026-05-01T12:00:00Z",'
        b'"note":"\\u0022\\u0022\\u0022\\u0022"}',
    ],
)
def test_a_member_that_occurs_twice_is_malformed(body: bytes) -> None:
    with pytest.raises(MalformedJson, match="occurs twice"):
        FORM.read(body)


def test_escapes_are_read_like_the_letters_they_stand_for() -> None:
    escaped = b'{"id":"\\u0061","version":1,"at":"2026-05-01T12:00:00\\u005a"}'
    assert FORM.read(escaped) == Item("a", 1, "2026-05-01T12:00:00Z")


@pytest.mark.parametrize("text", ["\\u0000", "a\\u0000b", "\\ud800", "\\udc00x"])
def test_no_text_has_a_nul_or_half_a_letter(text: str) -> None:
    body = b'{"id":"a","version":1,"at":"2026-05-01T12:00:00Z","note":"%s"}' % text.encode()
    assert faults(FORM, body) == [("/note", "characters")]
    assert faults(FORM, body.replace(b'"a"', b'"%s"' % text.encode())) == [
        ("/id", "characters"),
        ("/note", "characters"),
    ]


def test_all_faults_are_told_at_once() -> None:
    body = {"items": [RIGHT, {"id": "a b", "version": 0, "at": "x", "a/b~c": 1}, 7, {}]}
    assert faults(LIST, body) == [("/items", "length")]
    del body["items"][3]
    assert faults(LIST, body) == [
        ("/items/1/id", "pattern"),
        ("/items/1/version", "out_of_range"),
        ("/items/1/at", "time"),
        ("/items/1/a~1b~0c", "unknown_member"),
        ("/items/2", "type"),
    ]


@pytest.mark.parametrize("body", [[], 7, "x", None, True, 1.5])
def test_a_body_is_an_object(body: object) -> None:
    assert faults(FORM, body) == [("", "type")]


def test_missing_members_are_named_and_optional_ones_are_not() -> None:
    assert faults(FORM, {}) == [(f"/{name}", "missing") for name in ("id", "version", "at")]


def test_an_id_does_not_end_with_a_line_break() -> None:
    assert faults(FORM, {**RIGHT, "id": "a\n"}) == [("/id", "pattern")]


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3) | st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["a", "", "a b", "2026-05-01T12:00:00Z", "2026-02-30T12:00:00Z", "\0"]),
    st.text(max_size=3),
)
OBJECTS = st.fixed_dictionaries(
    {"id": st.just("a") | VALUES, "version": st.just(1) | VALUES},
    optional={"at": st.just("2026-05-01T12:00:00Z") | VALUES, "note": VALUES, "x": VALUES},
)


@given(OBJECTS)
def test_both_ways_of_reading_agree(plain: dict[str, Any]) -> None:
    """A body is refused by the slow way exactly if the fast one does not take it."""
    body = msgspec.json.encode(plain)
    built: Form[Item, Item] = Form(Item, _with_time)
    quick = built.quick(body)
    slow: Item | None
    try:
        slow = built.read_plain(json.loads(body))
    except ValidationFailed:
        slow = None
    assert quick == slow or (quick is None and b"\\" in body)


def _with_time(item: Item) -> Item:
    read_time(item.at)
    return item


def request(body: bytes, **environ: str) -> WSGIRequest:
    return WSGIRequest(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": "/",
            "SERVER_NAME": "x",
            "SERVER_PORT": "80",
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": "application/json",
            "wsgi.input": io.BytesIO(body),
            **environ,
        }
    )


def test_a_body_may_have_two_mebibytes() -> None:
    assert len(body_of(request(b"x" * LARGEST_BODY))) == LARGEST_BODY
    with pytest.raises(PayloadTooLarge):
        body_of(request(b"x" * (LARGEST_BODY + 1)))


def test_a_body_sent_in_chunks_is_read_and_bounded_too() -> None:
    chunked = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    assert body_of(request(b"{}", **chunked)) == b"{}"
    with pytest.raises(PayloadTooLarge):
        body_of(request(b"x" * (LARGEST_BODY + 1), **chunked))


@pytest.mark.parametrize(
    ("environ", "refusal"),
    [
        ({"CONTENT_TYPE": "text/plain"}, UnsupportedMediaType),
        ({"CONTENT_TYPE": ""}, UnsupportedMediaType),
        ({"CONTENT_TYPE": "application/x-www-form-urlencoded"}, UnsupportedMediaType),
        ({"CONTENT_TYPE": "application/json; charset=latin-1"}, UnsupportedMediaType),
        ({"HTTP_CONTENT_ENCODING": "gzip"}, UnsupportedMediaType),
        ({"CONTENT_LENGTH": "99999999999999999999"}, PayloadTooLarge),
        ({"CONTENT_LENGTH": "0"}, MalformedJson),
        ({"CONTENT_LENGTH": "0", "CONTENT_TYPE": ""}, MalformedJson),
    ],
)
def test_a_body_is_json_and_not_empty(environ: dict[str, str], refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        body_of(request(b"{}", **environ))


@pytest.mark.parametrize("kind", ["application/json; charset=UTF-8", "Application/JSON"])
def test_the_media_type_may_say_its_charset(kind: str) -> None:
    assert body_of(request(b"{}", CONTENT_TYPE=kind)) == b"{}"
