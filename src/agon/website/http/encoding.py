"""Compressed answers: by Brotli, zstd or gzip, as the browser accepts."""

from __future__ import annotations

import gzip
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import brotli
import zstandard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

IDENTITY = "identity"
COMPRESSORS: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {
        "br": partial(brotli.compress, quality=7),
        "zstd": partial(zstandard.compress, level=9),
        "gzip": partial(gzip.compress, compresslevel=6, mtime=0),
        IDENTITY: bytes,
    }
)
"""By the names that HTTP has for them, the best first."""


def choose_encoding(accepted: str) -> str:
    """The best encoding that an Accept-Encoding header allows.

    >>> choose_encoding("gzip, deflate, br;q=0, zstd;q=0.5"), choose_encoding("")
    ('zstd', 'identity')
    """
    allowed = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        allowed[name.strip()] = weight.strip().rstrip(".0") != "q="
    return next((name for name in COMPRESSORS if allowed.get(name)), IDENTITY)
