"""
Read a request body: fast when it is right, and with every fault named when it is not.

A right body is decoded by msgspec straight into its Struct. Any other is decoded to plain
data and compared with the same Struct's description, so that all its faults are told at once.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NoReturn, TypeVar

import msgspec
from django.http import HttpRequest

from config.errors import (
    Fault,
    MalformedJson,
    PayloadTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
)
from config.http.faults import faults_of, pointer_token

LARGEST_BODY = 2 * 1024 * 1024
_LONGEST_INTEGER = 1_000

Shape = TypeVar("Shape", bound=msgspec.Struct)
Value = TypeVar("Value")


def body_of(request: HttpRequest) -> bytes:
    """Return the bytes that the client sent as JSON, at most 2 MiB of them."""
    body = _bytes(request)
    if len(body) > LARGEST_BODY:
        raise PayloadTooLarge
    if not body:
        raise MalformedJson("The body is empty.")
    if request.content_type != "application/json" or not _is_plain_utf8(request):
        raise UnsupportedMediaType
    return body


class Form(Generic[Shape, Value]):
    """
    What a body must look like: the type of a Struct, and what is made of it.

    `build` may raise ValueError for what a type cannot say. `across` then names the faults
    that lie between members; those within one are told by `check` in its Meta's `extra`.
    """

    def __init__(
        self,
        shape: type[Shape],
        build: Callable[[Shape], Value],
        across: Callable[[dict[str, Any]], Iterator[Fault]] = lambda plain: iter(()),
    ) -> None:
        """Prepare a decoder of the shape."""
        self._shape = shape
        self._build = build
        self._across = across
        self._description = msgspec.inspect.type_info(shape)
        self._decoder = msgspec.json.Decoder(shape)

    def read(self, body: bytes) -> Value:
        """Return what is made of the body; raise MalformedJson or ValidationFailed."""
        quick = self.quick(body)
        return self.read_plain(plain_json(body)) if quick is None else quick

    def quick(self, body: bytes) -> Value | None:
        """Return what is made of a body without fault, None if it has to be looked at closely."""
        try:
            found = self._decoder.decode(body)
            return self._build(found) if _names_each_member_once(body, found) else None
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def read_plain(
        self, plain: object, more: Callable[[], Iterable[Fault]] = tuple[Fault]
    ) -> Value:
        """Return what is made of decoded JSON; raise ValidationFailed with all its faults."""
        faults = list(faults_of(self._description, plain))
        if isinstance(plain, dict):
            faults += self._across(plain)
        met = {fault.pointer for fault in faults}
        faults += [fault for fault in more() if fault.pointer not in met]
        if faults:
            raise ValidationFailed(faults)
        return self._build(msgspec.convert(plain, self._shape))


def plain_json(body: bytes) -> object:
    """Return what the bytes say as plain data; raise MalformedJson unless they are JSON."""
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
        )
    except UnicodeDecodeError:
        raise MalformedJson("The body is not UTF-8.") from None
    except RecursionError:
        raise MalformedJson("The body is nested too deeply.") from None
    except json.JSONDecodeError as exc:
        where = f"line {exc.lineno}, column {exc.colno}"
        raise MalformedJson(
            f"The body is not JSON: {exc.msg.removesuffix(' at')} at {where}."
        ) from None


def _bytes(request: HttpRequest) -> bytes:
    length = request.META.get("CONTENT_LENGTH") or ""
    if length.isdecimal():
        if int(length) > LARGEST_BODY:
            raise PayloadTooLarge
        return request.read(int(length))
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        stream = request.META["wsgi.input"]
        return bytes(stream.read(LARGEST_BODY + 1))
    return b""


def _is_plain_utf8(request: HttpRequest) -> bool:
    charset = (request.content_params or {}).get("charset", "utf-8")
    encoding = request.META.get("HTTP_CONTENT_ENCODING", "") or "identity"
    return charset.lower() in {"utf-8", "utf8"} and encoding.lower() == "identity"


def _names_each_member_once(body: bytes, found: msgspec.Struct) -> bool:
    # msgspec lets the last of two equal members win. Without a backslash in the body its
    # quotes are those around its texts, and they are as many as those of what was read.
    return b"\\" not in body and body.count(b'"') == msgspec.json.encode(found).count(b'"')


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedJson(f"The member {pointer_token(twice)} occurs twice in one object.")
    return members


def _refuse_constant(word: str) -> NoReturn:
    raise MalformedJson(f"{word} is not JSON.")


def _integer(digits: str) -> int:
    # Python refuses to read integers of thousands of digits; all of them are out of range.
    return int(digits if len(digits) < _LONGEST_INTEGER else digits[:_LONGEST_INTEGER])
