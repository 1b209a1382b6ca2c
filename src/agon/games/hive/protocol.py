"""How Hive bots talk: the seed's notation line by line, or the Universal Hive Protocol.

The line protocol, with a bot that plays white:

    arena: options variant=Base queen_first=off repetition=on turn_ms=1000
    arena: colour white
    bot:   wS1
    arena: bG1*|wS1
    bot:   wQ1|*wS1
    arena: ...
    arena: end white black queen surrounded

A bot answers every move of the other side with its own; a bot that plays white begins. A forced
pass is `pass`, on both sides. After `end` with the winner (or `draw`) and the reason, the next
line may be `options` again: a new match.
"""

from __future__ import annotations

from collections import deque
from dataclasses import fields
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError
from agon.games.dialogue import Dialogue
from agon.games.hive.game import as_hive_position
from agon.games.hive.notation import format_move
from agon.games.hive.uhp_notation import format_uhp_move, parse_uhp_move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Outcome, Position
    from agon.games.hive.position import HivePosition, Move

COLOURS = ("white", "black")
SECOND_NS = 10**9
LONGEST_REPLY = 10_000  # lines of one answer of an engine


def format_options(position: HivePosition, turn_ns: int | None) -> str:
    """The options as `name=value` words."""
    words = []
    for field in fields(position.options):
        value = getattr(position.options, field.name)
        text = ("off", "on")[value] if isinstance(value, bool) else str(value)
        words.append(f"{field.name}={text}")
    if turn_ns is not None:
        words.append(f"turn_ms={turn_ns // 10**6}")
    return " ".join(words)


class LineDialogue(Dialogue):
    """The seed's notation, a move a line."""

    def __init__(self) -> None:
        """Nothing said yet."""
        self._seat = 0
        self._colour: list[str] = []

    def open(self, start: Position[Any], seat: int, turn_ns: int | None) -> list[str]:
        """The options; the colour comes with the first question."""
        self._seat = seat
        self._colour = [f"colour {COLOURS[seat]}"]
        return [f"options {format_options(as_hive_position(start), turn_ns)}"]

    def is_ready(self) -> bool:
        """A bot says nothing before its first move."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Move], after: Position[Any]
    ) -> list[str]:
        """The other side's move."""
        position = as_hive_position(before)
        colour, self._colour = self._colour, []
        moves = [format_move(position, turn) for seat, turn in turns.items() if seat != self._seat]
        return colour + moves

    def ask(self, position: Position[Any]) -> list[str]:
        """The other side's move is question enough, and for white its colour."""
        colour, self._colour = self._colour, []
        return colour

    def read(self, line: str) -> str | None:
        """Every line is a move."""
        return line

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A move in the seed's notation."""
        return as_hive_position(position).parse_turn(seat, text)

    def close(self, outcome: Outcome | None) -> list[str]:
        """Who won and why."""
        if outcome is None:
            return ["end draw unfinished"]
        winner = "draw" if outcome.winner is None else COLOURS[outcome.winner]
        return [f"end {winner} {outcome.reason}"]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return []


class Awaited(Enum):
    """What an engine's next answer is about."""

    GREETING = auto()
    DONE = auto()
    BEST_MOVE = auto()


class UhpDialogue(Dialogue):
    """Any engine that speaks the Universal Hive Protocol.

    Commands may be sent before the last one is answered: the answers come in order, each ends with
    a line `ok`.
    """

    def __init__(self) -> None:
        """The engine has yet to greet."""
        self._awaited = deque([Awaited.GREETING])
        self._answer: list[str] = []
        self._budget = ""

    def open(self, start: Position[Any], seat: int, turn_ns: int | None) -> list[str]:
        """A new game."""
        self._budget = "depth 2" if turn_ns is None else f"time {format_uhp_time(turn_ns)}"
        self._awaited.append(Awaited.DONE)
        return [f"newgame {as_hive_position(start).options.variant}"]

    def is_ready(self) -> bool:
        """The greeting and the new game are answered."""
        return not self._awaited

    def tell(
        self, before: Position[Any], turns: Mapping[int, Move], after: Position[Any]
    ) -> list[str]:
        """Every move, the engine's own too: it plays nothing by itself."""
        (move,) = turns.values()
        self._awaited.append(Awaited.DONE)
        return [f"play {format_uhp_move(as_hive_position(before), move)}"]

    def ask(self, position: Position[Any]) -> list[str]:
        """What it would play."""
        self._awaited.append(Awaited.BEST_MOVE)
        return [f"bestmove {self._budget}"]

    def read(self, line: str) -> str | None:
        """Collect an answer up to its `ok`."""
        if line != "ok":
            self._answer.append(line)
            if len(self._answer) > LONGEST_REPLY:
                raise ProtocolError(f"an answer of {LONGEST_REPLY} lines: expected a line ok")
            return None
        answer, self._answer = self._answer, []
        if not self._awaited:
            raise ProtocolError("a line ok, but no command was waiting for an answer")
        awaited = self._awaited.popleft()
        for text in answer:
            if text.startswith(("err", "invalidmove")):
                raise ProtocolError(f"the engine answered {text[:80]!r}")
        if awaited is not Awaited.BEST_MOVE:
            return None
        if not answer:
            raise ProtocolError("bestmove: expected a move before the line ok")
        return answer[0]

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A MoveString."""
        return parse_uhp_move(as_hive_position(position), text)

    def close(self, outcome: Outcome | None) -> list[str]:
        """An engine sees for itself that the game is over."""
        return []

    def leave(self) -> list[str]:
        """Asked to exit, an engine answers once more, but nobody needs to wait for it."""
        return ["exit"]


def format_uhp_time(nanoseconds: int) -> str:
    """A time as `bestmove` takes it; fractions of a second only where they are needed.

    >>> format_uhp_time(90_000_000_000), format_uhp_time(200_000_000)
    ('00:01:30', '00:00:00.200')
    """
    seconds, rest = divmod(nanoseconds, SECOND_NS)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest // 10**6:03}" if rest else ""
    return f"{hours:02}:{minutes:02}:{seconds:02}{fraction}"
