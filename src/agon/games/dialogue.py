"""What a seat is told and what it may answer, in a protocol of the game: lines in, lines out.

A dialogue is a state machine without I/O. The arbiter sends the lines that it gives and feeds it
the lines that come; pipes, sockets and clocks are the arbiter's. A line has no line end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Outcome, Position


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a seat may know of a match besides the game: its time, and who plays."""

    turn_ns: int | None = None
    """Time per turn; None: as long as it takes."""
    bank_ns: int = 0
    """Time beyond that, once for the whole match."""
    names: tuple[str, ...] = ()
    """The players' names by seat."""


class Dialogue(ABC):
    """One seat's conversation over one match. Turns pass as text in the game's own notation."""

    warnings: tuple[str, ...] = ()
    """What is wrong with the turn that was parsed last, though it counts: for the bot's author."""

    def arguments(self, seat: int, briefing: Briefing) -> tuple[str, ...]:
        """Words for the end of the program's command line, in protocols that have some."""
        return ()

    @abstractmethod
    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """The lines at the beginning of a match."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether the program has said all that the protocol has it say before its first turn."""

    @abstractmethod
    def tell(
        self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]
    ) -> list[str]:
        """The lines about turns that were played, this seat's own among them."""

    @abstractmethod
    def ask(self, position: Position[Any]) -> list[str]:
        """The lines that ask for a turn; none where a protocol has the seat know by itself."""

    @abstractmethod
    def read(self, line: str) -> str | None:
        """Take a line of the program: the text of its turn, or None if that is still to come.

        Raises ProtocolError if the protocol does not allow the line here.
        """

    @abstractmethod
    def parse(self, position: Position[Any], seat: int, text: str) -> Any:
        """The turn that the text of `read` stands for. Raises as `Position.parse_turn` does."""

    @abstractmethod
    def close(self, outcome: Outcome | None) -> list[str]:
        """The lines at the end of a match."""

    @abstractmethod
    def leave(self) -> list[str]:
        """The lines before the program is ended, after the last match."""
