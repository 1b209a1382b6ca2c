"""A tournament on the screen: a bar above the table, or a line now and then."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.console import Console

from agon.cli.live import EASE, LINE_SECONDS, LiveTable
from agon.ranker.result import Result
from agon.ranker.table import RankingTable, make_table

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 10**9


@dataclass
class Clock:
    now: int = 0
    step: int = 0

    def __call__(self) -> int:
        self.now += self.step
        return self.now


def table_of(results: list[Result]) -> Callable[[], RankingTable]:
    return lambda: make_table(results, ("ada", "[bob]"))


def play(live: LiveTable, results: list[Result], clock: Clock, seconds: float) -> None:
    clock.now += int(seconds * SECOND)
    results.append(Result(("ada", "[bob]"), (2, 0), len(results)))
    live.on_result()


def test_a_log_has_a_line_now_and_then() -> None:
    clock, results = Clock(), list[Result]()
    console = Console(file=StringIO(), width=40)
    with LiveTable(console, "friday", 20, results, table_of(results), clock) as live:
        for _ in range(10):
            play(live, results, clock, LINE_SECONDS / 4)
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().splitlines() == [
        "friday  4/20 matches, 0.4/s, 40 s left",
        "friday  8/20 matches, 0.4/s, 30 s left",
    ]


def test_without_an_end_no_time_is_left() -> None:
    clock, results = Clock(), list[Result]()
    console = Console(file=StringIO())
    with LiveTable(console, "ladder", None, results, table_of(results), clock) as live:
        play(live, results, clock, LINE_SECONDS)
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue() == "ladder  1 matches, 0.1/s\n"


def test_a_terminal_has_the_bar_and_the_table() -> None:
    clock, results = Clock(), list[Result]()
    console = Console(file=StringIO(), width=100, force_terminal=True, color_system=None)
    with LiveTable(console, "[friday]", 3, results, table_of(results), clock) as live:
        for _ in range(3):
            play(live, results, clock, 1)
    assert isinstance(console.file, StringIO)
    shown = console.file.getvalue()
    assert "[friday]  3/3 matches, 1.0/s" in shown
    assert "[bob]" in shown
    assert "95 %" in shown


def test_a_table_that_takes_long_is_made_seldom() -> None:
    """A table is made for at most a twentieth of the time, however long it takes."""
    clock, results = Clock(), list[Result]()
    console = Console(file=StringIO(), width=100, force_terminal=True)
    made: list[int] = []

    def make() -> RankingTable:
        made.append(clock())
        return make_table(results)

    clock.step = SECOND  # every look at the clock takes a second, so a table takes two
    with LiveTable(console, "friday", 100, results, make, clock) as live:
        for _ in range(100):
            play(live, results, clock, 0)
    assert len(made) > 2
    assert min(later - earlier for earlier, later in pairwise(made)) >= 2 * EASE * SECOND
