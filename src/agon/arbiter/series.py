"""Several matches of the same bots, who take turns at the seats, and what came out of them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import Entrant, make_seat
from agon.arbiter.match import Match, Table
from agon.errors import ArbiterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.entrant import Launch, OnLine
    from agon.arbiter.limits import Limits
    from agon.arbiter.seat import Seat
    from agon.games.game import Game, JsonObject, Options, Position

MOST_VOID = 5


def _nobody_watches(position: Position[Any]) -> None:
    """For matches without a spectator."""


def _no_wire(seat: int) -> OnLine:
    """For matches of which nobody keeps the lines."""
    return lambda direction, line: None


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
        """The seed of the match of that number."""
        return self.seed + number // len(self.entrants)

    def names(self, number: int) -> tuple[str, ...]:
        """The bots by seat in the match of that number."""
        return tuple(self.entrants[bot].name for bot in self.seating(number))


@dataclass(frozen=True, slots=True)
class Arena:
    """What matches are played with: a clock, a way to start programs, a watch on this machine."""

    clock: Callable[[], int]
    launch: Launch
    late_since: Callable[[int], int] = lambda begin: 0
    on_position: Callable[[Position[Any]], None] = _nobody_watches
    wire: Callable[[int], OnLine] = _no_wire

    def play(self, series: Series, number: int) -> Match:
        """Play one match of a series; if this machine was too late for it, play it again."""
        for void in range(MOST_VOID):
            match = self._play_once(series, number)
            if not match.is_void:
                extra: JsonObject = {"void": void} if void else {}
                return replace(match, transcript=replace(match.transcript, extra=extra))
        raise ArbiterError(
            f"this machine was late in {MOST_VOID} matches in a row: run fewer at once (--jobs)"
        )

    def _play_once(self, series: Series, number: int) -> Match:
        """Play it with new seats: a program may still think about a question of a void match."""
        seats = self.make_seats(series, number)
        with ExitStack() as stack:
            for seat in seats:
                stack.callback(seat.close)
            table = Table(
                series.game,
                series.options,
                seats,
                series.limits,
                self.clock,
                self.late_since,
                self.on_position,
            )
            return table.play(series.seed_of(number))

    def make_seats(self, series: Series, number: int) -> list[Seat]:
        """A seat for each bot, by where it sits in the match of that number."""
        seed, count = series.seed_of(number), len(series.entrants)
        return [
            make_seat(
                series.game,
                series.entrants[bot],
                seed * count + bot,
                self.clock,
                self.launch,
                self.wire(seat),
            )
            for seat, bot in enumerate(series.seating(number))
        ]


@dataclass(slots=True)
class Score:
    """What the bots have got so far, in the order in which the series names them."""

    wins: list[int]
    thought_ns: list[int]
    slowest_ns: list[int]
    faults: list[int]
    shared: int = 0
    matches: list[Match] = field(default_factory=list)

    @classmethod
    def zero(cls, bots: int) -> Score:
        """Nothing played yet."""
        return cls([0] * bots, [0] * bots, [0] * bots, [0] * bots)

    def add(self, match: Match, seating: tuple[int, ...]) -> None:
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
