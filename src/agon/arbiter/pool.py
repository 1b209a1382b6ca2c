"""The seats of programs: made for each match, or kept alive from one match to the next.

Worker threads share a pool. A program that failed, or whose match was void, is ended; the others
may play on. `stop` gives up everything under way, `close` ends what is idle.
"""

from __future__ import annotations

import select
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakSet

from agon.arbiter.entrant import make_seat
from agon.arbiter.log import SeatLog, stderr_of
from agon.arbiter.program import ProgramSeat
from agon.errors import ArbiterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from agon.arbiter.bot_process import Launch, Process, Program
    from agon.arbiter.entrant import Entrant
    from agon.arbiter.seat import Seat
    from agon.games.game import Game

MOST_IDLE = 64
"""Programs that wait for a match; beyond that, those that have waited longest are ended."""


class StoppedError(ArbiterError):
    """The match was given up, because everything stops."""


@dataclass(slots=True)
class PooledSeat:
    """A seat in use, with its log; `is_well`: its program may play another match."""

    key: tuple[str, Entrant]
    seat: Seat
    log: SeatLog
    is_well: bool = False
    lines: list[str] = field(default_factory=list)
    """What was said in the match, and `stderr`: there when the seat has been given back."""
    stderr: str = ""

    @property
    def is_program(self) -> bool:
        return isinstance(self.seat, ProgramSeat)

    def keep_logs(self) -> None:
        """Save the lines before another match uses the seat."""
        self.lines = self.log.lines()
        self.stderr = stderr_of(self.seat)


class SeatPool:
    """Hands out seats, and takes them back."""

    def __init__(self, *, reuse: bool = False) -> None:
        """`reuse`: programs stay alive from match to match."""
        self._reuse = reuse
        self._idle: list[PooledSeat] = []
        self._lock = threading.Lock()
        self._running: WeakSet[Process] = WeakSet()
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def seats(
        self,
        game: Game,
        entrants: Sequence[Entrant],
        seeds: Sequence[int],
        clock: Callable[[], int],
        launch: Launch,
    ) -> Iterator[list[PooledSeat]]:
        """Seats for one match; a program whose `is_well` is not set in the block is ended."""
        taken: list[PooledSeat] = []
        try:
            for entrant, seed in zip(entrants, seeds, strict=True):
                taken.append(self._take(game, entrant, seed, clock, launch))
            yield taken
        finally:
            for pooled in taken:
                self._give_back(pooled)

    def _take(
        self, game: Game, entrant: Entrant, seed: int, clock: Callable[[], int], launch: Launch
    ) -> PooledSeat:
        key = (game.name, entrant)
        while (kept := self._take_idle(key)) is not None:
            if not _has_ended(kept.seat):
                return kept
            kept.seat.close()
        log = SeatLog()
        seat = make_seat(game, entrant, seed, clock, self.tracked(launch), log.on_line)
        return PooledSeat(key, seat, log)

    def _take_idle(self, key: tuple[str, Entrant]) -> PooledSeat | None:
        with self._lock:
            for place in range(len(self._idle) - 1, -1, -1):
                if self._idle[place].key == key:
                    break
            else:
                return None
            kept = self._idle.pop(place)
        kept.log.clear()
        if isinstance(kept.seat, ProgramSeat):
            kept.seat.stderr = b""
        return kept

    def _give_back(self, pooled: PooledSeat) -> None:
        can_stay = self._reuse and pooled.is_well and not self.is_stopped
        if not can_stay or not pooled.is_program:
            pooled.seat.close()
            pooled.keep_logs()
            return
        pooled.keep_logs()
        with self._lock:
            self._idle.append(PooledSeat(pooled.key, pooled.seat, pooled.log))
            surplus = self._idle[:-MOST_IDLE]
            del self._idle[:-MOST_IDLE]
        for idle in surplus:
            idle.seat.close()

    def tracked(self, launch: Launch) -> Launch:
        """The same launch; what it starts can be stopped from another thread."""

        def launch_tracked(program: Program) -> Process:
            process = launch(program)
            with self._lock:
                self._running.add(process)
            if self.is_stopped:
                process.stop()
            return process

        return launch_tracked

    @property
    def is_stopped(self) -> bool:
        """Whether matches under way are to be given up."""
        return self._stopped.is_set()

    def check(self) -> None:
        """Raise StoppedError if everything stops."""
        if self.is_stopped:
            raise StoppedError("the match was given up")

    def stop(self) -> None:
        """Stop all matches: their programs are killed, so each soon raises StoppedError."""
        self._stopped.set()
        with self._lock:
            running = list(self._running)
        for process in running:
            process.stop()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for pooled in idle:
            pooled.seat.close()


def _has_ended(seat: Seat) -> bool:
    """Whether an idle program is gone: some end after a match, as they may."""
    sources = seat.waits_on()
    if not sources:
        return False  # it is started by its next match
    poll = select.poll()
    poll.register(sources[0][0], 0)
    return bool(poll.poll(0))
