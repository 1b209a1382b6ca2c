"""Several matches of the same bots, which take turns at the seats, and their score."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.log import SeatMarks
from agon.arbiter.pool import SeatPool
from agon.errors import ArbiterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.bot_process import Launch
    from agon.arbiter.entrant import Entrant
    from agon.arbiter.limits import Limits
    from agon.games.game import Game, JsonObject, Options
    from agon.match.match import Match
    from agon.match.result import MatchResult

MOST_VOID = 5


class LateError(ArbiterError):
    """This machine was too late for a match, again and again."""


@dataclass(frozen=True, slots=True)
class Series:
    """Bots, and how they meet: the same seed once for every way round the table."""

    game: Game
    options: Options
    entrants: tuple[Entrant, ...]
    limits: Limits
    seed: int

    def seating(self, number: int) -> tuple[int, ...]:
        """Which bot has each seat in the match of that number."""
        seats = len(self.entrants)
        return tuple((seat + number) % seats for seat in range(seats))

    def seed_of(self, number: int) -> int:
        return self.seed + number // len(self.entrants)

    def names(self, number: int) -> tuple[str, ...]:
        """The bots by seat in the match of that number."""
        return tuple(self.entrants[bot].name for bot in self.seating(number))


@dataclass(frozen=True, slots=True)
class SeriesRunner:
    """What matches are played with: a clock, a way to start programs, a watch on this machine.

    Threads may share it; `pool` has the seats, and stops all matches on request.
    """

    clock: Callable[[], int]
    launch: Launch
    late_since: Callable[[int], int] = lambda begin: 0
    on_change: Callable[[Match], None] = lambda match: None
    """Called at the start of each match and after every change."""
    keeps_logs: bool = False
    """Whether the lines of programs and their standard error go into the transcript."""
    pool: SeatPool = field(default_factory=SeatPool)

    def play(self, series: Series, number: int) -> MatchResult:
        """Play one match of a series; if this machine was too late for it, play it again."""
        for void in range(MOST_VOID):
            match, logs = self._play_once(series, number)
            self.pool.check()  # a match that was given up looks like one that a crash ended
            if not match.is_void:
                extra = ({"void": void} if void else {}) | logs
                return replace(match, transcript=replace(match.transcript, extra=extra))
        raise LateError(
            f"this machine was late in {MOST_VOID} matches in a row: run fewer at once (--jobs)"
        )

    def _play_once(self, series: Series, number: int) -> tuple[MatchResult, JsonObject]:
        """Play it once; what is to be kept of the programs is complete when they have ended."""
        seed, seating = series.seed_of(number), series.seating(number)
        entrants = [series.entrants[bot] for bot in seating]
        seeds = [seed * len(entrants) + bot for bot in seating]
        with self.pool.seats(series.game, entrants, seeds, self.clock, self.launch) as pooled_seats:
            seats = [pooled.seat for pooled in pooled_seats]
            marks = [SeatMarks() for _ in pooled_seats]

            def on_change(match: Match) -> None:
                self.pool.check()
                if self.keeps_logs:
                    for mark, pooled in zip(marks, pooled_seats, strict=True):
                        if pooled.is_program:
                            mark.note(len(match.events), pooled.log, pooled.seat)
                self.on_change(match)

            arbiter = Arbiter(
                series.game,
                series.options,
                seats,
                series.limits,
                self.clock,
                self.late_since,
                on_change=on_change,
            )
            result = arbiter.play(seed)
            for pooled, fault in zip(pooled_seats, result.faults, strict=True):
                pooled.is_well = fault is None and not result.is_void
        if not self.keeps_logs or not any(pooled.is_program for pooled in pooled_seats):
            return result, {}
        logs: JsonObject = {
            "wire": [[*pooled.lines] for pooled in pooled_seats],
            "stderr": [pooled.stderr for pooled in pooled_seats],
            "marks": [[[*mark] for mark in seat.marks] for seat in marks],
        }
        return result, logs


@dataclass(slots=True)
class Score:
    """What the bots have got so far, in the order in which the series names them."""

    wins: list[int]
    thought_ns: list[int]
    slowest_ns: list[int]
    faults: list[int]
    shared: int = 0
    matches: list[MatchResult] = field(default_factory=list)

    @classmethod
    def zero(cls, bots: int) -> Score:
        return cls([0] * bots, [0] * bots, [0] * bots, [0] * bots)

    def add(self, match: MatchResult, seating: tuple[int, ...]) -> None:
        """Count a match in which the bot `seating[seat]` had each seat."""
        winner = match.outcome.winner
        if winner is None:
            self.shared += 1
        else:
            self.wins[seating[winner]] += 1
        for seat, bot in enumerate(seating):
            self.thought_ns[bot] += match.thought_ns[seat]
            self.slowest_ns[bot] = max(self.slowest_ns[bot], match.slowest_ns[seat])
            self.faults[bot] += match.faults[seat] is not None
        self.matches.append(match)
