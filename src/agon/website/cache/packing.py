"""Pages packed in pieces: a kept page with another piece in its middle is not packed again.

Each piece is deflated by itself, so that none refers to what stands before it; put together they
are one gzip file like any other.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPRESSION = 6
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""A gzip file without a name, of no special time and system."""
END = b"\x03\x00"
"""A last piece that is empty."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page, as it is and deflated."""

    text: bytes
    packed: bytes


def make_piece(text: bytes) -> Piece:
    """Pack a part of a page, for others to follow."""
    packer = zlib.compressobj(COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Piece(text, packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH))


def join_packed(pieces: Sequence[Piece]) -> bytes:
    """All pieces, gzipped.

    >>> from gzip import decompress
    >>> decompress(join_packed([make_piece(b"one, "), make_piece(b"two")]))
    b'one, two'
    """
    check = size = 0
    for piece in pieces:
        check = zlib.crc32(piece.text, check)
        size += len(piece.text)
    trailer = struct.pack("<II", check, size & 0xFFFFFFFF)
    return b"".join((HEAD, *(piece.packed for piece in pieces), END, trailer))


def join_plain(pieces: Sequence[Piece]) -> bytes:
    """All pieces as they are."""
    return b"".join(piece.text for piece in pieces)
