"""Bytes as they are stored: compressed, with the codec's name beside them.

Gzip rather than bare zlib: the website can hand a stored transcript to a browser as it is.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass

from agon.datastore.enums import Codec
from agon.errors import DatastoreError

LEVEL = 6
SMALLEST = 64


@dataclass(frozen=True, slots=True)
class Packed:
    """Bytes in their stored form, and how many there were."""

    codec: Codec
    size: int
    data: bytes


def pack(content: bytes, codec: Codec | None = None) -> Packed:
    """The bytes in stored form; without a codec, the one that makes them small.

    >>> pack(b"ab").codec, pack(b"ab" * 500).codec
    (<Codec.PLAIN: 'plain'>, <Codec.GZIP: 'gzip'>)
    """
    if codec is Codec.PLAIN or (codec is None and len(content) < SMALLEST):
        return Packed(Codec.PLAIN, len(content), content)
    data = gzip.compress(content, LEVEL, mtime=0)
    if codec is None and len(data) >= len(content):
        return Packed(Codec.PLAIN, len(content), content)
    return Packed(Codec.GZIP, len(content), data)


def unpack(packed: Packed, what: str) -> bytes:
    """The bytes themselves; `what` names them if they are damaged."""
    content = packed.data
    if packed.codec is Codec.GZIP:
        try:
            content = gzip.decompress(packed.data)
        except (OSError, EOFError, TypeError, zlib.error) as error:
            raise DatastoreError(f"{what}: its stored bytes are damaged: {error}") from None
    if len(content) != packed.size:
        raise DatastoreError(f"{what}: {len(content)} bytes are stored; expected {packed.size}")
    return content
