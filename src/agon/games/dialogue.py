"""What a seat is told and what it may answer, in a protocol of the game: lines in, lines out.

A dialogue is a state machine without I/O. The arbiter sends the lines that it gives and feeds it
the lines that come; pipes, sockets and clocks are the arbiter's. A line has no line end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.games.game import Outcome, Position
    from agon.games.http_exchange import HttpExchange


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a seat may know of a match besides the game: its time, and who plays."""

    turn_ns: int | None = None
    """Time per turn; None: as long as it takes."""
    bank_ns: int = 0
    """Time beyond that, once for the whole match."""
    names: tuple[str, ...] = ()
    """The players' names by seat."""


LEGAL = "legal"
"""The first line of a program that wants the legal moves; no turn of any game reads like it."""
NO_LIST = f"{LEGAL!r}: this protocol has no list of legal moves"


Dialogues: TypeAlias = "Mapping[str, Callable[[], Dialogue]]"
"""The protocols of a game: name to what makes a new conversation."""


class Dialogue(ABC):
    """One seat's conversation over one match. Turns pass as text in the game's own notation."""

    warnings: tuple[str, ...] = ()
    """What is wrong with the turn that was parsed last, though it counts: for the bot's author."""
    is_live: bool = False
    """Whether the seat hears of a turn when it begins and when it is over, whosever turn it is.

    Elsewhere it hears of the others' turns with its own next question.
    """
    is_for_one_match: bool = False
    """Whether a program ends with its match, and is started anew for the next one."""
    may_write_ahead: bool = False
    """Whether what a program writes before a question waits for it, as its answer.

    Elsewhere a turn that was not asked for is a fault.
    """

    can_list_moves: bool = False
    """Whether there is a `legal_line` in this protocol."""
    lists_moves: bool = False
    """Whether the program wants a `legal_line` after each question."""

    def list_moves(self) -> None:
        """From now on each question is followed by the legal moves.

        Raises ProtocolError where the protocol has no line for them.
        """
        if not self.can_list_moves:
            raise ProtocolError(NO_LIST)
        self.lists_moves = True

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """All that the seat may answer to the question that `ask` made of this position."""
        raise ProtocolError(NO_LIST)

    def check_time(self, turn_ns: int | None) -> None:
        """Raise SettingError, with the remedy, if the protocol cannot name so short a time."""
        return

    def arguments(self, seat: int, briefing: Briefing) -> tuple[str, ...]:
        """Words for the end of the program's command line, in protocols that have some."""
        return ()

    def http_exchange(self) -> HttpExchange | None:
        """In protocols over HTTP: where a program's requests become these lines, and back."""
        return None

    def spell_name(self, name: str) -> str:
        """A player's name in the letters that the protocol has for names."""
        return name

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

    def watch(self, position: Position[Any]) -> list[str]:
        """The lines of a live protocol for seats that are not asked, when others are."""
        return []

    def given(self) -> str | None:
        """The text of the turn, right after `ask`, if the program gave it before it was asked."""
        return None

    @abstractmethod
    def read(self, line: str) -> str | None:
        """Take a line of the program: the text of its turn, or None if that is still to come.

        Raises ProtocolError if the protocol does not allow the line here.
        """

    def refuse(self, complaint: str) -> None:
        """A line was no text at all. Raises ProtocolError where that is a fault."""
        raise ProtocolError(complaint)

    def replies(self) -> Sequence[str]:
        """The lines that are due at once, after a line was read: answers and errors."""
        return ()

    def standing(self) -> str | None:
        """Time is over: the text of the turn as it stands, where that counts; None: a fault."""
        return None

    @abstractmethod
    def parse(self, position: Position[Any], seat: int, text: str) -> Any:
        """The turn that the text of `read` stands for. Raises as `Position.parse_turn` does."""

    @abstractmethod
    def close(self, outcome: Outcome | None) -> list[str]:
        """The lines at the end of a match."""

    @abstractmethod
    def leave(self) -> list[str]:
        """The lines before the program is ended, after the last match."""
