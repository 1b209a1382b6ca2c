r"""Move strings of the Universal Hive Protocol, which all Hive programs exchange.

`wG2 \bA1` puts the second white grasshopper at bA1's upper left face.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agon.errors import NotationError
from agon.games.hive.move import PASS, Move
from agon.games.hive.notation import (
    CONTACTS,
    LINES,
    SLOTS_BY_NAME,
    legal_move,
    legal_pass,
    parse_tile,
)
from agon.games.hive.tile import SIDE_NAMES, Direction, Tile

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition

BEFORE = {"\\": Direction.NW, "-": Direction.W, "/": Direction.SW}
AFTER = {"/": Direction.NE, "-": Direction.E, "\\": Direction.SE}
BEFORE_TEXTS = {direction: text for text, direction in BEFORE.items()}
AFTER_TEXTS = {direction: text for text, direction in AFTER.items()}

_TILE = r"[wb](?:[QMLP]|[SB][12]|[GA][123])"
_MOVE = re.compile(
    rf"(?P<tile>{_TILE})(?: (?P<before>[-/\\])?(?P<reference>{_TILE})(?P<after>[-/\\])?)?"
)


def format_uhp_tile(tile: Tile) -> str:
    """A tile's name; kinds of which a side has one tile go without a number.

    >>> format_uhp_tile(parse_uhp_tile("bQ")), format_uhp_tile(parse_uhp_tile("wA3"))
    ('bQ', 'wA3')
    """
    return str(tile) if tile.kind.per_side > 1 else str(tile)[:2]


def parse_uhp_tile(text: str) -> Tile:
    """Read a tile's name."""
    return parse_tile(text if len(text) == 3 else text + "1")


def parse_uhp_move(position: HivePosition, text: str) -> Move:
    """Read a MoveString that is legal in this position; any touching reference will do.

    A reference to the moving tile itself means the cell that it leaves, as other engines write it.
    """
    if text == "pass":
        return legal_pass(position)
    match = _MOVE.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        raise NotationError(
            f"move {text[:40]!r}: expected a tile and where it goes, such as wS1 or bA1 -wS1"
        )
    reference = parse_uhp_tile(match["reference"]) if match["reference"] else None
    direction = BEFORE.get(match["before"]) if match["before"] else AFTER.get(match["after"])
    return legal_move(position, text, parse_uhp_tile(match["tile"]), reference, direction)


def to_uhp(text: str) -> str:
    """A move of Agon's notation as a MoveString, by the same tile; any other text as it is.

    >>> to_uhp("bG1|*wS1"), to_uhp("wB1=*bQ1"), to_uhp("wQ1"), to_uhp("pass")
    ('bG1 -wS1', 'wB1 bQ', 'wQ', 'pass')
    """
    if text in SLOTS_BY_NAME:
        return format_uhp_tile(parse_tile(text))
    if text not in LINES or text == "pass":
        return text
    return _move_string(parse_tile(text[:3]), parse_tile(text[5:]), CONTACTS[text[3:5]])


def format_uhp_move(position: HivePosition, move: Move) -> str:
    """The move as a MoveString; `parse_uhp_move` gives it back."""
    if move == PASS:
        return "pass"
    return _move_string(position.tile_of(move), *position.choose_reference(move))


def _move_string(tile: Tile, reference: Tile | None, direction: Direction | None) -> str:
    if reference is None:
        return format_uhp_tile(tile)
    before = BEFORE_TEXTS.get(direction, "") if direction is not None else ""
    after = AFTER_TEXTS.get(direction, "") if direction is not None else ""
    return f"{format_uhp_tile(tile)} {before}{format_uhp_tile(reference)}{after}"


def format_state(position: HivePosition) -> str:
    """The GameStateString of a position."""
    if position.outcome is None:
        return "InProgress" if position.turn else "NotStarted"
    winner = position.outcome.winner
    return "Draw" if winner is None else f"{SIDE_NAMES[winner]}Wins"


def format_turn_string(position: HivePosition) -> str:
    """The TurnString of a position: `White[1]` before the first move."""
    return f"{SIDE_NAMES[position.side_to_move]}[{position.turn // 2 + 1}]"
