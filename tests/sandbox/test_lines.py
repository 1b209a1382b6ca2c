"""Bounded reading: any pieces give the same lines, and no program can make us wait or grow."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from agon.sandbox.lines import LineReader, LineWriter, Reading, Tail

if TYPE_CHECKING:
    from collections.abc import Iterator

SECOND = 10**9


@contextmanager
def a_pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    os.set_blocking(write, False)
    try:
        yield read, write
    finally:
        os.close(read)
        os.close(write)


def take_all(reader: LineReader) -> list[bytes]:
    lines = []
    while (taken := reader.take())[0] is Reading.LINE:
        lines.append(taken[1])
    return lines


@given(st.lists(st.binary(max_size=20), max_size=20))
def test_pieces_do_not_matter(pieces: list[bytes]) -> None:
    with a_pipe() as (read, write):
        reader = LineReader(read)
        got = []
        for piece in pieces:
            os.write(write, piece)
            reader.pump()
            got += take_all(reader)
    whole = b"".join(pieces).split(b"\n")[:-1]
    assert got == [line.removesuffix(b"\r") for line in whole]


def test_a_line_may_be_as_long_as_allowed_and_no_longer() -> None:
    with a_pipe() as (read, write):
        reader = LineReader(read, longest=5)
        os.write(write, b"1234\n12345\n")
        reader.pump()
        assert reader.take() == (Reading.LINE, b"1234")
        assert reader.take() == (Reading.TOO_LONG, b"")


def test_a_line_without_end_is_too_long() -> None:
    with a_pipe() as (read, write):
        reader = LineReader(read, longest=5)
        os.write(write, b"123456")
        reader.pump()
        assert reader.take()[0] is Reading.TOO_LONG
        assert not reader.wants_more


def test_a_turn_may_be_as_long_as_allowed_and_no_longer() -> None:
    with a_pipe() as (read, write):
        reader = LineReader(read, most=10)
        os.write(write, b"12345\n")
        reader.pump()
        assert reader.take()[0] is Reading.LINE
        reader.begin_turn()
        os.write(write, b"12345\n12345\n")
        reader.pump()
        assert [reader.take()[0] for _ in range(3)] == [
            Reading.LINE,
            Reading.LINE,
            Reading.TOO_MUCH,
        ]


def test_the_end_comes_after_the_last_line() -> None:
    read, write = os.pipe()
    os.write(write, b"last\nhalf")
    os.close(write)
    reader = LineReader(read)
    reader.pump()
    reader.pump()
    assert reader.take() == (Reading.LINE, b"last")
    assert reader.take() == (Reading.END, b"")
    os.close(read)


def test_only_the_tail_is_kept() -> None:
    with a_pipe() as (read, write):
        tail = Tail(read, keep=4)
        for piece in (b"abc", b"def", b"\xff"):
            os.write(write, piece)
            tail.pump()
        assert tail.text == "def\N{REPLACEMENT CHARACTER}"
        assert tail.total == 7


def test_writing_neither_waits_nor_fails() -> None:
    read, write = os.pipe()
    writer = LineWriter(write)
    writer.queue(b"x" * 1_000_000)
    begin = time.monotonic_ns()
    for _ in range(100):
        writer.pump()
    assert time.monotonic_ns() - begin < SECOND
    assert writer.is_waiting
    os.close(read)
    writer.pump()
    assert writer.is_broken
    assert not writer.is_waiting
    os.close(write)
