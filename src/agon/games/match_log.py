"""A match that was written down as states, in a game's own text: a log, or a map alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.game import Position

MOST_NOTES = 8


@dataclass(frozen=True, slots=True)
class MatchLog:
    """The positions from the first to the last, and what was odd about the text."""

    positions: tuple[Position[Any], ...]
    names: tuple[str, ...]
    """The players', by seat."""
    notes: tuple[str, ...] = ()


def limit_notes(notes: Iterable[str]) -> tuple[str, ...]:
    """The first of some notes, and how many more there are."""
    found = tuple(notes)
    more = len(found) - MOST_NOTES
    return found if more <= 0 else (*found[:MOST_NOTES], f"and {more} more of this kind")
