"""A quick exchange of turns between two seats, in which nothing but the ordinary happens.

Two programs whose protocol has a line for a turn, and no other, can be told of each other's turns
almost as fast as lines can be passed on. A game that has such a protocol may offer a rally: it
plays line after line without a position, and stops at the first that is not a plain turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agon.games.game import Position


class Rally(ABC):
    """A match of two seats from some position on, as long as it goes on turn by turn."""

    @abstractmethod
    def __init__(self, position: Position[Any]) -> None:
        """From this position, in which one of two seats owes a turn."""

    @abstractmethod
    def play(self, line: bytes) -> tuple[str, bytes] | None:
        """Play the line that the seat to act has said, line end included.

        The turn's text, and the line that asks the other seat. None, and nothing has happened, if
        this is not one whole line, not a legal turn, or if the match is over with it.
        """

    @abstractmethod
    def position(self) -> Position[Any]:
        """The position after the turns played so far."""
