"""What a bot is told and what it may answer: three sections of text, orders in return.

A bad order is no fault: it is left out, or cut down to what its fort has, with a warning for the
match record. A broken header is a ProtocolError, and with it the bot is out (R12).

A bot that asked for them is sent the orders that it may give behind the sections, three words for
each: `legal boyard helsingor 12 boyard nox 12`. The number is the most that can be sent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError
from agon.games.battlebots.field import NEUTRAL_NAME, Battlefield
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.move import Order, Turn
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.dialogue import LEGAL, Briefing, Dialogue, Dialogues

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agon.games.game import Outcome, Position

HEADER = re.compile(r"([0-9]{1,9}|\?)\s+\S+")
UNTIL_END = "?"
END = "end"
MOST_LINES = 100_000
LONGEST_SIZE = 4000  # digits; Python itself refuses a few more
QUOTED = 60


class SectionsDialogue(Dialogue):
    """Every turn what the seat sees; orders in answer.

    `warnings` are those about the answer that was read last, a line each.
    """

    can_list_moves = True
    may_write_ahead = True

    def __init__(self) -> None:
        self._seat = 0
        self._names: tuple[str, ...] = ()
        self._left: int | None = None  # lines to come; None before the header, -1 until `end`
        self._orders: list[str] = []
        self.warnings: tuple[str, ...] = ()

    def arguments(self, seat: int, briefing: Briefing) -> tuple[str, ...]:
        """The bot's own name, as messages call it."""
        return (tell_apart(briefing.names)[seat],) if briefing.names else ()

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """Nothing: a bot knows its name from its command line."""
        self._seat = seat
        players = BattlebotsPosition.of(start).players
        self._names = tell_apart(briefing.names[: len(players)] or players)
        return []

    def is_ready(self) -> bool:
        """A bot says nothing before its first turn."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Turn], after: Position[Any]
    ) -> list[str]:
        """Nothing: what it may know of it the next question says."""
        return []

    def ask(self, position: Position[Any]) -> list[str]:
        """What the seat sees."""
        here = BattlebotsPosition.of(position)
        names = dict(zip(here.players, self._names, strict=True))
        return format_map(rename(here.sight(self._seat), names)).splitlines()

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """R5: each road out of each own fort, with all soldiers that are there."""
        here = BattlebotsPosition.of(position)
        seen = here.sight(seat)
        orders = (
            f" {fort.name} {target} {fort.soldiers}"
            for fort in seen.forts
            if fort.owner == here.players[seat] and fort.soldiers
            for target in seen.neighbours[fort.name]
        )
        return LEGAL + "".join(orders)

    def read(self, line: str) -> str | None:
        """Collect an answer: its header, and then as many orders as that says."""
        line = line.strip()
        if not line or line.startswith("#"):
            return None
        if self._left is None:
            self._left = read_header(line)
        elif self._left < 0 and line == END:
            self._left = 0
        else:
            self._orders.append(line)
            self._left -= 1
            if len(self._orders) > MOST_LINES:
                raise ProtocolError(f"more than {MOST_LINES} orders in a turn")
        if self._left != 0:
            return None
        orders, self._orders, self._left = self._orders, [], None
        return "\n".join(orders)

    def parse(self, position: Position[Any], seat: int, text: str) -> Turn:
        """The orders that hold; there are `warnings` about the others."""
        here = BattlebotsPosition.of(position)
        turn, self.warnings = read_orders(here.sight(seat), here.players[seat], text.splitlines())
        return turn

    def close(self, outcome: Outcome | None) -> list[str]:
        """The end of its input tells a bot that the match is over."""
        return []

    def leave(self) -> list[str]:
        return []


def read_header(line: str) -> int:
    """How many orders follow a header; -1 if they follow until `end`.

    >>> read_header("3 marches:"), read_header("? orders"), read_header("0 marches:")
    (3, -1, 0)
    """
    header = HEADER.fullmatch(line)
    if header is None:
        raise ProtocolError(f"{line[:QUOTED]!r}: expected a header such as 2 marches:")
    if header[1] == UNTIL_END:
        return -1
    if int(header[1]) > MOST_LINES:
        raise ProtocolError(f"{line[:QUOTED]!r}: expected at most {MOST_LINES} orders")
    return int(header[1])


def read_orders(
    seen: Battlefield, player: str, lines: Iterable[str]
) -> tuple[Turn, tuple[str, ...]]:
    """R5: the orders that a player may give who sees this, and a warning for each bad line."""
    left = {fort.name: fort.soldiers for fort in seen.forts if fort.owner == player}
    orders: list[Order] = []
    warnings: list[str] = []
    for line in lines:
        order, warning = read_order(seen, left, line)
        if warning:
            warnings.append(f"{line[:QUOTED]!r}: {warning}")
        if order:
            left[order.origin] -= order.soldiers
            orders.append(order)
    return tuple(orders), tuple(warnings)


def read_order(seen: Battlefield, left: Mapping[str, int], line: str) -> tuple[Order | None, str]:
    """One order, if it holds, and what is wrong with it; `left` are the soldiers in own forts."""
    parts = line.split()
    if len(parts) != 3:
        return None, "expected an origin, a target and a size"
    origin, target, size = parts
    for name in (origin, target):
        if name not in seen.fort:
            return None, f"no fort {name[:QUOTED]!r} in sight"
    if not re.fullmatch(f"[+-]?[0-9]{{1,{LONGEST_SIZE}}}", size):
        return None, "the size is not a whole number"
    if target not in seen.neighbours[origin]:
        return None, "there is no such road"
    soldiers = int(size)
    if soldiers < 1:
        return None, "the size is less than 1"
    if origin not in left:
        return None, f"{origin} is another's fort"
    if left[origin] == 0:
        return None, f"no soldiers are left in {origin}"
    if soldiers > left[origin]:
        return Order(origin, target, left[origin]), f"all {left[origin]} that are left are sent"
    return Order(origin, target, soldiers), ""


def tell_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names as messages can hold them: no blanks, none empty, none twice, none reserved.

    >>> tell_apart(["felix", "felix", "deep thought", "neutral"])
    ('felix', 'felix_2', 'deep_thought', 'neutral_4')
    """
    told: list[str] = []
    for number, name in enumerate(names, 1):
        plain = "".join(c if c.isprintable() and not c.isspace() else "_" for c in name).lstrip("#")
        if plain in ("", NEUTRAL_NAME, *told):
            plain = f"{plain}_{number}"
        while plain in told:
            plain += "_"
        told.append(plain)
    return tuple(told)


def rename(field: Battlefield, names: Mapping[str, str]) -> Battlefield:
    """The field with other names for its players."""
    called = {**names, NEUTRAL_NAME: NEUTRAL_NAME}
    return Battlefield(
        tuple(fort._replace(owner=called[fort.owner]) for fort in field.forts),
        field.roads,
        tuple(march._replace(owner=called[march.owner]) for march in field.marches),
    )


DIALOGUES: Dialogues = {"sections": SectionsDialogue}
