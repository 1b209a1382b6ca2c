"""A match with what is known of it beside its transcript."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agon.match.result import MatchResult
from agon.match.transcript import Transcript

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What is known of a seat's bot; None: it is not known."""

    version: int | None = None
    """The number of the bot's version."""
    mu: float | None = None
    """Its live rating before the match: how strong it was believed to be."""
    sigma: float | None = None
    """How uncertain that was."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match of a dataset."""

    transcript: Transcript
    seats: tuple[SeatRecord, ...] = ()
    """One for each seat; empty: nothing is known of any."""
    started_ns: int | None = None
    """Nanoseconds since 1970; None: it is not known."""
    ended_ns: int | None = None
    stored_id: int | None = None
    """Its number in the datastore that it comes from."""
    name: str = field(default="", compare=False)
    """How errors call it; it is not written."""

    @classmethod
    def of(cls, match: Self | MatchResult | Transcript) -> Self:
        """The record of a match that may come from self-play or from a file."""
        if isinstance(match, MatchResult):
            return cls(match.transcript)
        return cls(match) if isinstance(match, Transcript) else match
