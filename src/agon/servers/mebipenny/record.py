"""What is left of a game that is over: a match like any other, to be stored."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agon.games.mebipenny.game import GAME
from agon.match.result import MatchResult
from agon.match.transcript import Event, Fault, FaultEvent, Transcript, TurnEvent

if TYPE_CHECKING:
    from agon.games.game import JsonObject, Outcome
    from agon.games.mebipenny.game import MebiPennyOptions

LONGEST_DETAIL = 300


@dataclass(slots=True)
class GameRecord:
    """A game as it goes on: turns as texts, and times; small, for large boards have many turns."""

    options: MebiPennyOptions
    seed: int
    names: tuple[str, ...]
    begin_ns: int
    """When it began, by the calendar."""
    end_ns: int = 0
    turns: list[str] = field(default_factory=list)
    ns: array[int] = field(default_factory=lambda: array("q"))
    """How long the player thought, for each turn."""
    fault: FaultEvent | None = None
    outcome: Outcome | None = None

    def add(self, turn: str, took_ns: int) -> None:
        """A turn was played."""
        self.turns.append(turn)
        self.ns.append(took_ns)

    def fail(self, seat: int, fault: Fault, detail: str) -> None:
        """A seat was disqualified."""
        self.fault = FaultEvent(seat, fault, detail[:LONGEST_DETAIL])

    def setup(self) -> Transcript:
        """The game without its events."""
        players: tuple[JsonObject, ...] = tuple(
            {"name": name, "kind": "guest"} for name in self.names
        )
        return Transcript(GAME, self.options, self.seed, players)

    def events(self, first: int = 0) -> list[Event]:
        """What has happened, from the event of that number on."""
        seats = len(self.names)
        played = zip(self.turns[first:], self.ns[first:], strict=True)
        events: list[Event] = [
            TurnEvent({number % seats: turn}, {number % seats: took})
            for number, (turn, took) in enumerate(played, first)
        ]
        return events if self.fault is None else [*events, self.fault]

    def match(self) -> MatchResult:
        """The game as a match, once it is over."""
        if self.outcome is None:
            raise ValueError("the game goes on")
        seats = len(self.names)
        faults: list[Fault | None] = [None] * seats
        if self.fault is not None:
            faults[self.fault.player] = self.fault.fault
        times = [self.ns[seat::seats] for seat in range(seats)]
        return MatchResult(
            replace(self.setup(), events=tuple(self.events()), outcome=self.outcome),
            self.outcome,
            tuple(faults),
            tuple(sum(own) for own in times),
            tuple(max(own, default=0) for own in times),
        )
