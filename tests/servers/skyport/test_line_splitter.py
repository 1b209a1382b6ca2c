"""Bytes become the same lines, wherever they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.servers.skyport.line_splitter import LineSplitter

deterministic = settings(derandomize=True, deadline=None, database=None, max_examples=200)
LONGEST = 8


def lines_of(pieces: list[bytes], longest: int = LONGEST) -> tuple[list[bytes], bool]:
    splitter = LineSplitter(longest)
    found = []
    for piece in pieces:
        splitter.feed(piece)
        while (line := splitter.take()) is not None:
            found.append(line)
    return found, splitter.is_too_long


@deterministic
@given(
    st.lists(st.binary(max_size=LONGEST).filter(lambda line: not {*line} & {10, 13})),
    st.sampled_from([b"\n", b"\r\n"]),
    st.lists(st.integers(1, 5), min_size=1),
)
def test_lines_do_not_depend_on_where_they_are_cut(
    lines: list[bytes], end: bytes, lengths: list[int]
) -> None:
    data = b"".join(line + end for line in lines)
    pieces, number = [], 0
    while data:
        length = lengths[number % len(lengths)]
        pieces.append(data[:length])
        data, number = data[length:], number + 1
    assert lines_of(pieces) == (lines, False)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("is_split", [False, True])
def test_the_longest_line_is_let_in_and_one_byte_more_is_not(end: bytes, is_split: bool) -> None:
    for extra in (0, 1):
        data = b"x" * (LONGEST + extra) + end + b"more\n"
        pieces = [bytes([byte]) for byte in data] if is_split else [data]
        found, is_too_long = lines_of(pieces)
        assert is_too_long == bool(extra)
        assert found == ([] if extra else [b"x" * LONGEST, b"more"])


def test_what_came_before_a_line_that_is_too_long_counts() -> None:
    assert lines_of([b"one\ntwo\n" + b"x" * 20]) == ([b"one", b"two"], True)


def test_a_carriage_return_inside_a_line_stays() -> None:
    assert lines_of([b"a\rb\r\r\n"]) == ([b"a\rb\r"], False)
