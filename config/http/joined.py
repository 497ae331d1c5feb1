"""
Replies whose end is the same for everybody: kept as bytes, and compressed once for all.

A gzip stream may hold a piece as it is. So the beginning, which tells the time, goes into it
uncompressed, the end as it was compressed when it was made; only the sum over both is new.
"""

import struct
import zlib
from typing import NamedTuple

_GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_AS_IT_IS = b"\0"
_LONGEST_AS_IT_IS = 0xFFFF
_LEVEL = 6


class Ending(NamedTuple):
    """The end of a reply, from a comma on, as it is and deflated."""

    content: bytes
    deflated: bytes

    @property
    def size(self) -> int:
        """How many bytes it takes in memory."""
        return len(self.content) + len(self.deflated)


def ending(encoded_object: bytes) -> Ending:
    """Return the end that has the members of a JSON object, which must have some."""
    content = b"," + encoded_object[1:]
    compressor = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)
    return Ending(content, compressor.compress(content) + compressor.flush())


def joined(encoded_object: bytes, end: Ending) -> bytes:
    """Return the JSON object with the members of the one given, and then those of the end."""
    return encoded_object[:-1] + end.content


def joined_gzip(encoded_object: bytes, end: Ending) -> bytes:
    """Return the same as a gzip stream (RFC 1952); what is given first is at most 64 KB."""
    begin = encoded_object[:-1]
    length = len(begin)
    if length > _LONGEST_AS_IT_IS:
        raise ValueError(f"{length} bytes are too long for a piece as it is")
    piece = _AS_IT_IS + struct.pack("<HH", length, length ^ 0xFFFF) + begin
    total = zlib.crc32(end.content, zlib.crc32(begin))
    size = (length + len(end.content)) & 0xFFFFFFFF
    return _GZIP + piece + end.deflated + struct.pack("<II", total, size)
