"""A tournament as it goes on: on a terminal a bar above the table, else a line now and then."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agon.cli.console import progress_bar
from agon.cli.table import table_grid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from rich.console import Console, Group
    from rich.live import Live

    from agon.ranker.result import Result
    from agon.ranker.table import RankingTable

REFRESHES = 2  # of the screen in a second
EASE = 20  # a table is shown this many times as long as it took to make
LINE_SECONDS = 10.0
SECOND = 10**9


class LiveTable:
    """Shows how far a tournament is. Use it in a `with` statement, and tell it of every result."""

    def __init__(
        self,
        console: Console,
        title: str,
        total: int | None,
        results: Sequence[Result],
        make_table: Callable[[], RankingTable],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`results` is the list that grows; `total`: how many there will be, if that is known."""
        from rich.markup import escape

        self._console = console
        self._title = title
        self._total = total
        self._make_table = make_table
        self._results = results
        self._clock = clock
        self._begin = self._shown = clock()
        self._first = len(results)
        self._next_table = 0
        self._bar = progress_bar(console)
        self._task = self._bar.add_task(escape(title), total=total, completed=len(results))
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            from rich.live import Live

            self._live = Live(
                self._screen(), console=self._console, refresh_per_second=REFRESHES, transient=True
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def on_result(self) -> None:
        if self._live is None:
            self._print_line()
            return
        from rich.markup import escape

        told = escape(self._told())
        self._bar.update(self._task, completed=len(self._results), description=told)
        if self._clock() >= self._next_table:
            self._live.update(self._screen())

    def _told(self) -> str:
        done = len(self._results)
        of_total = "" if self._total is None else f"/{self._total}"
        return f"{self._title}  {done}{of_total} matches, {self.speed():.1f}/s"

    def speed(self) -> float:
        """Matches in a second, since this process plays."""
        seconds = max(self._clock() - self._begin, 1) / SECOND
        return (len(self._results) - self._first) / seconds

    def _screen(self) -> Group:
        """The bar and the table, which is made seldom enough to cost little."""
        from rich.console import Group

        begin = self._clock()
        table = self._make_table()
        end = self._clock()
        self._next_table = end + max(SECOND // REFRESHES, EASE * (end - begin))
        most = max(3, self._console.height - 5)
        return Group(self._bar, table_grid(table, most))

    def _print_line(self) -> None:
        """For a log: a line every few seconds."""
        now = self._clock()
        if now - self._shown < LINE_SECONDS * SECOND:
            return
        self._shown = now
        self._console.print(f"{self._told()}{self._left()}", markup=False, soft_wrap=True)

    def _left(self) -> str:
        if self._total is None:
            return ""
        left = (self._total - len(self._results)) / max(self.speed(), 1e-9)
        return f", {left:.0f} s left"
