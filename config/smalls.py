"""
Whole bytes that PostgreSQL keeps as `smallint[]`: big-endian integers of 16 bits, one by one.

numpy makes and reads them at once, where psycopg would look at each element.
"""

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format

# Of an array: dimensions, no nulls, the type of its elements, their number, the first subscript.
_WORD = 4
_HEADER = 5 * _WORD
# Of an element: how many bytes it has, and these.
_SIZE = 2
_ELEMENT = _WORD + _SIZE

_SMALLINT = psycopg.adapters.types["int2"]


class Smalls(bytes):
    """Bytes to send as `smallint[]`."""

    __slots__ = ()


class _SmallsDumper(Dumper):
    format = Format.BINARY
    oid = _SMALLINT.array_oid

    def dump(self, obj: Smalls) -> Buffer:
        count = len(obj) // _SIZE
        words = (1 if count else 0, 0, _SMALLINT.oid, *([count, 1] if count else []))
        elements = bytearray(count * _ELEMENT)
        elements[_WORD - 1 :: _ELEMENT] = bytes([_SIZE]) * count
        elements[_WORD::_ELEMENT] = obj[0::_SIZE]
        elements[_WORD + 1 :: _ELEMENT] = obj[1::_SIZE]
        return b"".join(word.to_bytes(_WORD, "big") for word in words) + elements


class _SmallsLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> Smalls:
        sent = bytes(data)
        found = bytearray(len(sent[_HEADER:]) // _ELEMENT * _SIZE)
        found[0::_SIZE] = sent[_HEADER + _WORD :: _ELEMENT]
        found[1::_SIZE] = sent[_HEADER + _WORD + 1 :: _ELEMENT]
        return Smalls(found)


psycopg.adapters.register_dumper(Smalls, _SmallsDumper)
psycopg.adapters.register_loader(_SMALLINT.array_oid, _SmallsLoader)
