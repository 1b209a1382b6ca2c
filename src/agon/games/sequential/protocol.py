"""How programs play small games: a move a line. `PROTOCOL.md` shows a match.

arena: start connect_four seats=2 seat=1 rows=6 cols=7 turn_ms=1000
arena: move 0 d
arena: play
bot:   c
arena: end 0 four in a row
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.dialogue import LEGAL, Dialogue
from agon.games.sequential.match_text import format_options
from agon.games.sequential.position import SequentialPosition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.dialogue import Briefing, Dialogues
    from agon.games.game import Outcome, Position

MILLISECOND_NS = 10**6


class MoveLines(Dialogue):
    """One seat's conversation: the others' moves as they are played, and `play`."""

    can_list_moves = True

    def __init__(self) -> None:
        self._seat = 0

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """The game, the seat, the options, the time."""
        self._seat = seat
        here = SequentialPosition.of(start)
        words = ["start", here.game.name, f"seats={here.seats}", f"seat={seat}"]
        words += [word for word in format_options(here.options) if not word.startswith("seats=")]
        if briefing.turn_ns is not None:
            words.append(f"turn_ms={briefing.turn_ns // MILLISECOND_NS}")
        if briefing.bank_ns:
            words.append(f"bank_ms={briefing.bank_ns // MILLISECOND_NS}")
        return [" ".join(words)]

    def is_ready(self) -> bool:
        """A bot says nothing before its first move."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, int], after: Position[Any]
    ) -> list[str]:
        """The moves of the other seats."""
        return [
            f"move {seat} {before.format_turn(seat, move)}"
            for seat, move in turns.items()
            if seat != self._seat
        ]

    def ask(self, position: Position[Any]) -> list[str]:
        return ["play"]

    def legal_line(self, position: Position[Any], seat: int) -> str:
        moves = position.legal_moves(seat)
        return " ".join([LEGAL, *(position.format_turn(seat, move) for move in moves)])

    def read(self, line: str) -> str | None:
        return line

    def parse(self, position: Position[Any], seat: int, text: str) -> int:
        return SequentialPosition.of(position).parse_turn(seat, text)

    def close(self, outcome: Outcome | None) -> list[str]:
        """The winner's seat, or draw; and why."""
        if outcome is None:
            return ["end draw unfinished"]
        winner = "draw" if outcome.winner is None else str(outcome.winner)
        return [f"end {winner} {outcome.reason}"]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return []


DIALOGUES: Dialogues = {"lines": MoveLines}
