"""What a match leaves behind: how a seat failed, and the result of a match that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.games.game import Outcome
from agon.match.transcript import FaultEvent, TurnEvent

if TYPE_CHECKING:
    from agon.match.transcript import Fault, Transcript


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a seat has no turn to give."""

    fault: Fault
    detail: str = ""
    said: str = ""
    """The last line of its standard error, for the bot's author alone."""

    @property
    def whole(self) -> str:
        """Detail and standard error, for the bot's author."""
        return f"{self.detail}: {self.said}" if self.said else self.detail


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that is over, or void because the arena failed."""

    transcript: Transcript
    outcome: Outcome
    faults: tuple[Fault | None, ...]
    """How each seat failed; None: it ended by the rules."""
    thought_ns: tuple[int, ...]
    slowest_ns: tuple[int, ...]
    late_ns: int = 0
    """How late the machine was, at most, while a seat was asked."""
    is_void: bool = False

    @property
    def turns(self) -> int:
        return sum(isinstance(event, TurnEvent) for event in self.transcript.events)


def result_of(transcript: Transcript, reason: str = "void") -> MatchResult:
    """The result of a recorded match, by its events alone: they need not fit today's rules.

    Without an outcome in the record it is void for this reason.
    """
    seats = len(transcript.players)
    faults: list[Fault | None] = [None] * seats
    thought, slowest = [0] * seats, [0] * seats
    for event in transcript.events:
        if isinstance(event, FaultEvent):
            faults[event.player] = event.fault
        elif isinstance(event, TurnEvent):
            for seat, taken in event.ns.items():
                thought[seat] += taken
                slowest[seat] = max(slowest[seat], taken)
    outcome = transcript.outcome
    return MatchResult(
        transcript,
        outcome or Outcome((0,) * seats, reason),
        tuple(faults),
        tuple(thought),
        tuple(slowest),
        is_void=outcome is None,
    )
