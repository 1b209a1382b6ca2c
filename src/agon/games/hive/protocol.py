"""How Hive bots talk: Agon's notation line by line, or the Universal Hive Protocol.

The line protocol, with a bot that plays white:

    arena: options variant=Base queen_first=off repetition=on turn_ms=1000
    arena: colour white
    bot:   wS1
    arena: bG1*|wS1
    bot:   wQ1|*wS1
    arena: ...
    arena: end white black queen surrounded

A bot answers every move of the other side with its own; a bot that plays white begins. A forced
pass is `pass`, on both sides. A move that wants no answer, because the match ends with it, is not
sent: `end` comes in its place, with the winner (or `draw`) and the reason. After that the next line
may be `options` again: a new match.

A bot that asked for them is sent the legal moves behind every question: `legal wS1 wB1 wG1`. In the
variety `lines-xy` all moves are told by the cell where they end: `bG1(1,0)`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError, SettingError
from agon.games.dialogue import LEGAL, Dialogue
from agon.games.hive.matrix import format_matrix_move, parse_matrix_move
from agon.games.hive.notation import format_move, parse_move
from agon.games.hive.position import HivePosition
from agon.games.hive.uhp_notation import format_uhp_move, parse_uhp_move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.dialogue import Briefing, Dialogues
    from agon.games.game import Outcome, Position
    from agon.games.hive.move import Move

COLOURS = ("white", "black")
SECOND_NS = 10**9
MILLISECOND_NS = 10**6
DAY_NS = 24 * 3600 * SECOND_NS
SLACK_NS = 50 * MILLISECOND_NS  # engines take a little longer than they are told, and 2 % more
LONGEST_REPLY = 10_000  # lines of one answer of an engine
GREETING = "greeting"
BEST_MOVE = "bestmove"


def format_options(position: HivePosition, briefing: Briefing) -> str:
    """The options as `name=value` words."""
    words = []
    for field in fields(position.options):
        value = getattr(position.options, field.name)
        text = ("off", "on")[value] if isinstance(value, bool) else str(value)
        words.append(f"{field.name}={text}")
    if briefing.turn_ns is not None:
        words.append(f"turn_ms={briefing.turn_ns // MILLISECOND_NS}")
    if briefing.bank_ns:
        words.append(f"bank_ms={briefing.bank_ns // MILLISECOND_NS}")
    return " ".join(words)


class LineDialogue(Dialogue):
    """Agon's notation, a move a line."""

    can_list_moves = True

    def __init__(self) -> None:
        self._seat = 0
        self._news: list[str] = []

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """The options; the colour comes with the first question."""
        self._seat = seat
        self._news = [f"colour {COLOURS[seat]}"]
        return [f"options {format_options(HivePosition.of(start), briefing)}"]

    def is_ready(self) -> bool:
        """A bot says nothing before its first move."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Move], after: Position[Any]
    ) -> list[str]:
        """Nothing yet: the other side's move is the next question."""
        ((seat, move),) = turns.items()
        if seat != self._seat:
            self._news.append(self._format(HivePosition.of(before), move))
        return []

    def ask(self, position: Position[Any]) -> list[str]:
        """The other side's move is question enough, and for white its colour."""
        news, self._news = self._news, []
        return news

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """The moves, or `pass` alone."""
        here = HivePosition.of(position)
        return " ".join([LEGAL, *(self._format(here, move) for move in here.legal_moves(seat))])

    def read(self, line: str) -> str | None:
        """Every line is a move."""
        return line

    def _format(self, position: HivePosition, move: Move) -> str:
        return format_move(position, move)

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A move in Agon's notation."""
        return parse_move(HivePosition.of(position), text)

    def close(self, outcome: Outcome | None) -> list[str]:
        if outcome is None:
            return ["end draw unfinished"]
        winner = "draw" if outcome.winner is None else COLOURS[outcome.winner]
        return [f"end {winner} {outcome.reason}"]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return []


class MatrixLineDialogue(LineDialogue):
    """The same lines with moves by the cell where they end: `wG2(3,-1)`."""

    def _format(self, position: HivePosition, move: Move) -> str:
        return format_matrix_move(position, move)

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A move by its cell."""
        return parse_matrix_move(HivePosition.of(position), text)


class UhpDialogue(Dialogue):
    """Any engine that speaks the Universal Hive Protocol.

    Commands may be sent before the last one is answered: the answers come in order, each ends with
    a line `ok`.
    """

    takes_fractions = False
    """Whether the engine is told times such as `00:00:00.250`, which the protocol does not have."""

    def __init__(self) -> None:
        self._commands = deque([GREETING])
        self._answer: list[str] = []
        self._budget = ""

    def check_time(self, turn_ns: int | None) -> None:
        """Refuse less than a second for an engine that takes whole seconds."""
        if turn_ns is None or self.takes_fractions or thinking_time(turn_ns) >= SECOND_NS:
            return
        left = f"{thinking_time(turn_ns) / SECOND_NS:g} s of {turn_ns / SECOND_NS:g} s"
        raise SettingError(
            f"protocol uhp: 'bestmove time' counts whole seconds, and {left} a turn are left to"
            " think: allow 1.1 s or more (--time 1100ms) or, for an engine that takes fractions"
            " of a second, use the protocol uhp-fractions"
        )

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        self._budget = "depth 4"
        if briefing.turn_ns is not None:
            thinking = thinking_time(briefing.turn_ns)
            self._budget = f"time {format_uhp_time(thinking, self.takes_fractions)}"
        return self._command(f"newgame {HivePosition.of(start).options.variant}")

    def _command(self, command: str) -> list[str]:
        self._commands.append(command)
        return [command]

    def is_ready(self) -> bool:
        """The greeting and the new game are answered."""
        return not self._commands

    def tell(
        self, before: Position[Any], turns: Mapping[int, Move], after: Position[Any]
    ) -> list[str]:
        """Every move, the engine's own too: it plays nothing by itself."""
        (move,) = turns.values()
        return self._command(f"play {format_uhp_move(HivePosition.of(before), move)}")

    def ask(self, position: Position[Any]) -> list[str]:
        """What it would play."""
        return self._command(f"{BEST_MOVE} {self._budget}")

    def read(self, line: str) -> str | None:
        """Collect an answer up to its `ok`."""
        if line != "ok":
            self._answer.append(line)
            if len(self._answer) > LONGEST_REPLY:
                raise ProtocolError(f"an answer of {LONGEST_REPLY} lines: expected a line ok")
            return None
        answer, self._answer = self._answer, []
        if not self._commands:
            raise ProtocolError("a line ok, but no command was waiting for an answer")
        command = self._commands.popleft()
        for text in answer:
            if text.startswith(("err", "invalidmove")):
                raise ProtocolError(f"{command}: the engine answered {text[:80]!r}")
        if not command.startswith(BEST_MOVE):
            return None
        if not answer:
            raise ProtocolError(f"{command}: expected a move before the line ok")
        return answer[0]

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A MoveString."""
        return parse_uhp_move(HivePosition.of(position), text)

    def close(self, outcome: Outcome | None) -> list[str]:
        """An engine sees for itself that the game is over."""
        return []

    def leave(self) -> list[str]:
        """Asked to exit, an engine answers once more, but there is no need to wait for it."""
        return ["exit"]


class UhpFractionsDialogue(UhpDialogue):
    """The same for engines that also take fractions of a second, as ours does."""

    takes_fractions = True


def thinking_time(turn_ns: int) -> int:
    """How long an engine may think in a turn of this length."""
    return max(turn_ns // 2, turn_ns - turn_ns // 50 - SLACK_NS)


def format_uhp_time(nanoseconds: int, fractions: bool) -> str:
    """A time as `bestmove` takes it, less than a day: whole seconds, or milliseconds, too.

    >>> format_uhp_time(90_900_000_000, False), format_uhp_time(1_200_000_000, True)
    ('00:01:30', '00:00:01.200')
    """
    milliseconds = max(1, min(nanoseconds, DAY_NS - 1) // MILLISECOND_NS)
    seconds, milliseconds = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours:02}:{minutes:02}:{seconds:02}"
    return f"{whole}.{milliseconds:03}" if fractions else whole


DIALOGUES: Dialogues = {
    "lines": LineDialogue,
    "lines-xy": MatrixLineDialogue,
    "uhp": UhpDialogue,
    "uhp-fractions": UhpFractionsDialogue,
}
