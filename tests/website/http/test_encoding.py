"""Compressed answers."""

from __future__ import annotations

import gzip

import brotli
import pytest
import zstandard

from agon.website.http.encoding import COMPRESSORS, choose_encoding

DATA = b"to be or not to be " * 99


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate, br;q=0, zstd", "zstd"),
        ("gzip, deflate", "gzip"),
        ("GZIP ; q=0.5", "gzip"),
        ("br;q=0.000, gzip;q=0.", "identity"),
        ("deflate", "identity"),
        ("*", "identity"),
        ("", "identity"),
    ],
)
def test_the_best_encoding_that_is_accepted(accepted: str, chosen: str) -> None:
    assert choose_encoding(accepted) == chosen


def test_what_is_compressed_can_be_read() -> None:
    packed = {name: compress(DATA) for name, compress in COMPRESSORS.items()}
    assert brotli.decompress(packed["br"]) == DATA
    assert zstandard.ZstdDecompressor().decompress(packed["zstd"]) == DATA
    assert gzip.decompress(packed["gzip"]) == DATA
    assert packed["identity"] == DATA
