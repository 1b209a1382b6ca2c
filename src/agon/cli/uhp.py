"""`agon uhp`: the Universal Hive Protocol engine on stdin and stdout.

Here lines become text and back; what they say is `agon.games.hive.uhp`. Nothing that comes in can
end the engine but `exit`, the end of the input, or a reader of the output that went away.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from typing import TYPE_CHECKING, Any, BinaryIO

from agon.cli.arguments import Threads, parse_threads
from agon.cli.console import compile_notice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.bot import Bot
    from agon.games.hive.uhp import UhpEngine

LONGEST_LINE = 1 << 16
"""Bytes without the line end: the GameString of a match of thousands of plies."""


def uhp(threads: Threads = "1") -> None:
    """Play Hive as an engine: the Universal Hive Protocol on stdin and stdout.

    For Hive viewers and tournament tools: their engine command line is "agon uhp".

    \b
    A session:
      agon uhp
      newgame Base+MLP
      bestmove time 00:00:05
      help
    """
    from importlib.metadata import version

    from agon.games.hive.uhp import UhpEngine

    if not (sys.stdin and sys.stdout):
        return  # started with one of them closed
    clock = time.perf_counter_ns
    engine = UhpEngine(clock, make_search_bot, version("agon"), parse_threads(threads))
    try:
        converse(engine, sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # The reader is gone: end quietly, also when Python flushes stdout at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def converse(engine: UhpEngine, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line until `exit` or the end of the input."""
    send(sink, engine.start())
    while not engine.exited and (line := source.readline(LONGEST_LINE + 1)):
        send(sink, reply(engine, source, line))


def reply(engine: UhpEngine, source: BinaryIO, line: bytes) -> Iterable[str]:
    """The answer to a line, of which the source may hold the rest."""
    from agon.games.hive.uhp import refuse

    if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
        skip_line(source)
        return refuse(f"line {line[:40]!r}…: expected at most {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8-sig")  # some viewers begin with a byte order mark
    except UnicodeDecodeError:
        return refuse(f"line {line[:40]!r}: expected text in UTF-8")
    return engine.handle(text)


def skip_line(source: BinaryIO) -> None:
    """Drop what is left of a line, without ever holding all of it."""
    while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def send(sink: BinaryIO, lines: Iterable[str]) -> None:
    """Write lines, each at once: a long answer is seen as it grows."""
    for line in lines:
        sink.write(f"{line}\n".encode())
        sink.flush()


def make_search_bot(seed: int) -> Bot[Any]:
    """The strongest built-in bot, ready to keep to its time from its first move on."""
    from agon.games.hive.game import GAME

    load_compiled_code()
    return GAME.bot("search", seed)


@functools.cache
def load_compiled_code() -> None:
    """Load what a game needs; if it has to be compiled first, say so on stderr."""
    from agon.games.bot import Budget
    from agon.games.hive.game import GAME

    with compile_notice(GAME.title):
        start = GAME.start()
        for move in start.moves:
            start.play_move(move)
        for job in GAME.perft_jobs(start, 1):
            job.count()
        GAME.bot("search", 0).choose(start, start.side_to_move, Budget(depth=1))
