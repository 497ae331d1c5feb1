"""
Everything that is wrong with decoded JSON, compared with the description of a Struct.

Each fault has a JSON pointer and a code that stays: `type`, `missing`, `unknown_member`,
`pattern`, `characters`, `length`, `out_of_range`, `time`, `display`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import inspect as shapes

from config.errors import Fault

Check = Callable[[Any], object]


def faults_of(wanted: shapes.Type, plain: object, pointer: str = "") -> Iterator[Fault]:
    """Yield what is wrong with a value, in document order, and with all that it contains."""
    if isinstance(wanted, shapes.Metadata):
        yield from _checked(wanted, plain, pointer)
    elif isinstance(wanted, shapes.UnionType):
        yield from faults_of(_meant(wanted, plain), plain, pointer)
    else:
        python_type, word, look_inside = _KINDS[type(wanted)]
        if type(plain) is python_type:
            yield from look_inside(wanted, plain, pointer)
        else:
            yield Fault(pointer, "type", f"It must be {word}.")


def pointer_token(name: str) -> str:
    """Return a member's name as one step of a JSON pointer (RFC 6901)."""
    shown = name.encode("utf-8", "replace").decode("utf-8")
    return shown.replace("~", "~0").replace("/", "~1")


def time_check(read: Check) -> msgspec.Meta:
    """Return what marks a text as one that `read` must accept; its ValueError says why not."""
    return msgspec.Meta(
        extra_json_schema={"format": "date-time"}, extra={"check": read, "code": "time"}
    )


def _checked(wanted: shapes.Metadata, plain: object, pointer: str) -> Iterator[Fault]:
    faults = list(faults_of(wanted.type, plain, pointer))
    yield from faults
    extra = wanted.extra or {}
    if "check" in extra and not faults:
        try:
            extra["check"](plain)
        except ValueError as exc:
            yield Fault(pointer, extra["code"], str(exc))


def _meant(wanted: shapes.UnionType, plain: object) -> shapes.Type:
    null = next(kind for kind in wanted.types if isinstance(kind, shapes.NoneType))
    return null if plain is None else next(kind for kind in wanted.types if kind is not null)


def _in_object(
    wanted: shapes.StructType, plain: dict[str, object], pointer: str
) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in wanted.fields}
    for name, field in fields.items():
        here = f"{pointer}/{pointer_token(name)}"
        if name in plain:
            yield from faults_of(field.type, plain[name], here)
        elif field.required:
            yield Fault(here, "missing", "This member is required.")
    for name in (name for name in plain if name not in fields):
        here = f"{pointer}/{pointer_token(name)}"
        yield Fault(here, "unknown_member", "There is no such member.")


def _in_array(wanted: shapes.ListType, plain: list[object], pointer: str) -> Iterator[Fault]:
    if _is_outside(len(plain), wanted.min_length, wanted.max_length):
        how_many = _range(wanted.min_length, wanted.max_length)
        yield Fault(pointer, "length", f"It must have {how_many} items.")
        return
    for place, item in enumerate(plain):
        yield from faults_of(wanted.item_type, item, f"{pointer}/{place}")


def _in_text(wanted: shapes.StrType, plain: str, pointer: str) -> Iterator[Fault]:
    if _is_outside(len(plain), wanted.min_length, wanted.max_length):
        how_many = _range(wanted.min_length, wanted.max_length)
        yield Fault(pointer, "length", f"It must have {how_many} characters.")
    if not _is_storable(plain):
        yield Fault(pointer, "characters", "It has a NUL or half a surrogate pair in it.")
    elif wanted.pattern is not None and not re.search(wanted.pattern, plain):
        yield Fault(pointer, "pattern", f"It must match {wanted.pattern[:-2]}$.")


def _in_integer(wanted: shapes.IntType, plain: int, pointer: str) -> Iterator[Fault]:
    if _is_outside(plain, wanted.ge, wanted.le):
        yield Fault(pointer, "out_of_range", f"It must be {_range(wanted.ge, wanted.le)}.")


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_outside(size: int, lowest: int | None, highest: int | None) -> bool:
    return (lowest is not None and size < lowest) or (highest is not None and size > highest)


def _range(lowest: int | None, highest: int | None) -> str:
    if highest is None:
        return f"at least {lowest}"
    return f"at most {highest}" if lowest is None else f"{lowest} to {highest}"


_KINDS: dict[type[shapes.Type], tuple[type, str, Callable[..., Iterator[Fault]]]] = {
    shapes.StructType: (dict, "an object", _in_object),
    shapes.DictType: (dict, "an object", lambda *_: iter(())),
    shapes.ListType: (list, "an array", _in_array),
    shapes.StrType: (str, "a text", _in_text),
    shapes.IntType: (int, "an integer", _in_integer),
    shapes.NoneType: (type(None), "null", lambda *_: iter(())),
}
