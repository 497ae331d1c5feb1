"""
Whole bytes that PostgreSQL keeps as `bit varying`: as compact as `bytea`.

Four of them anywhere in a long row become an integer by two function calls in place of a
dozen, which is a fifth of what a rank costs.
"""

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format

_LENGTH = 4


class Bits(bytes):
    """Bytes to send as `bit varying`."""

    __slots__ = ()


class _BitsDumper(Dumper):
    format = Format.BINARY
    oid = psycopg.adapters.types["varbit"].oid

    def dump(self, obj: Bits) -> Buffer:
        return (8 * len(obj)).to_bytes(_LENGTH, "big") + obj


class _BitsLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> Bits:
        return Bits(data[_LENGTH:])


psycopg.adapters.register_dumper(Bits, _BitsDumper)
psycopg.adapters.register_loader("varbit", _BitsLoader)
