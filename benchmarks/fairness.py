"""Whether bots lose on time because the host has too few cores: many matches at once.

Two programs that compute for so long before each move meet in ten times as many matches as there
are cores, all at the same time. Those that need less than their time may not lose a match on it;
those that need more must lose every one. With foreign load, other processes take cores too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.table import Table

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import Entrant
from agon.arbiter.host import HostWatch
from agon.arbiter.limits import MILLISECOND_NS, Limits
from agon.arbiter.pool import SeatPool
from agon.arbiter.sandboxed import choose_launch
from agon.arbiter.series import LateError, Series, SeriesRunner
from agon.cli.console import progress_console, result_console
from agon.errors import AgonError
from agon.games.hive.game import GAME
from agon.match.transcript import Fault, TurnEvent
from benchmarks import working_bot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.cli.console import JsonValue
    from agon.match.result import MatchResult

TIMES_THE_CORES = 10
ALLOWED_MS = 100
NEEDS_MS = (40, 120)
TURNS = 12
SPINNERS = 1  # of foreign load, for each core
SPIN = "while True: pass"


@dataclass(frozen=True, slots=True)
class Crowd:
    """What became of matches that were played at the same time."""

    needs_ms: int
    foreign_load: bool
    matches: int
    lost_on_time: int
    given_up: int
    """Because this machine was late in five tries."""
    slowest_ms: int
    """The longest that a turn counted for, but for the first turns, in which programs start."""


def play_crowd(needs_ms: int, matches: int, *, foreign_load: bool = False) -> Crowd:
    """Play matches at the same time between programs that need so long for a turn."""
    with TemporaryDirectory(prefix="agon-fairness-") as folder:
        Path(folder).chmod(0o755)  # bots run as another user
        (Path(folder) / "bot.py").write_text(Path(working_bot.__file__).read_text())
        run = ("python3", "-S", "bot.py", str(needs_ms))
        program = Program("worker", run, Path(folder), protocol="lines", legal=True)
        entrants = (Entrant("one", program), Entrant("two", program))
        limits = Limits(ALLOWED_MS * MILLISECOND_NS, turns=TURNS)
        series = Series(GAME, GAME.options(), entrants, limits, 0)
        launch = choose_launch(entrants, unsafe_host=False, ranked=False)
        with (
            HostWatch() as host,
            SeatPool() as pool,
            ThreadPoolExecutor(matches) as threads,
            _spinners(SPINNERS * _cores() if foreign_load else 0),
        ):
            runner = SeriesRunner(time.monotonic_ns, launch, host.late_since, pool=pool)
            tried = list(threads.map(lambda number: _play(runner, series, number), range(matches)))
    played = [match for match in tried if match is not None]
    return Crowd(
        needs_ms,
        foreign_load,
        matches,
        sum(Fault.TIMEOUT in match.faults for match in played),
        matches - len(played),
        max(map(_slowest_ms, played), default=0),
    )


def _play(runner: SeriesRunner, series: Series, number: int) -> MatchResult | None:
    """A match that ends as it should, or on time; None if it was given up."""
    try:
        match = runner.play(series, number)
    except LateError:
        return None
    if any(fault not in (None, Fault.TIMEOUT) for fault in match.faults):
        raise AgonError(f"a match of the bench ended otherwise: {match.outcome}")
    return match


def _slowest_ms(match: MatchResult) -> int:
    later = match.transcript.events[2:]
    turns = (event.ns.values() for event in later if isinstance(event, TurnEvent))
    return max((ns for one in turns for ns in one), default=0) // MILLISECOND_NS


def _cores() -> int:
    return len(os.sched_getaffinity(0))


@contextmanager
def _spinners(count: int) -> Iterator[None]:
    spinners = [subprocess.Popen([sys.executable, "-S", "-c", SPIN]) for _ in range(count)]  # noqa: S603
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def bench_fairness(as_json: bool) -> JsonValue:
    """Both needs, without and with foreign load."""
    matches = TIMES_THE_CORES * _cores()
    found = []
    for foreign_load in (False, True):
        for needs_ms in NEEDS_MS:
            told = f"{matches} matches at once, {needs_ms} ms of computing a turn …"
            with progress_console().status(told):
                found.append(play_crowd(needs_ms, matches, foreign_load=foreign_load))
    if not as_json:
        result_console().print(_table(found))
    return [asdict(crowd) for crowd in found]


def _table(crowds: list[Crowd]) -> Table:
    table = Table(title=f"Hive, {ALLOWED_MS} ms a turn, {_cores()} cores")
    columns = (
        "computes",
        "foreign load",
        "matches at once",
        "lost on time",
        "given up",
        "slowest turn",
    )
    for column in columns:
        table.add_column(column, justify="right")
    for crowd in crowds:
        table.add_row(
            f"{crowd.needs_ms} ms",
            f"{SPINNERS} a core" if crowd.foreign_load else "none",
            str(crowd.matches),
            str(crowd.lost_on_time),
            str(crowd.given_up),
            f"{crowd.slowest_ms} ms",
        )
    return table
