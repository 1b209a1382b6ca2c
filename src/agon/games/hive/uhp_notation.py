r"""Move and game strings of the Universal Hive Protocol, which all Hive programs exchange.

`wG2 \bA1` puts the second white grasshopper at bA1's upper left face; a game is
`Base+MLP;InProgress;White[2];wS1;bS1 wS1-`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from agon.errors import AgonError, NotationError
from agon.games.hive.game import VARIANTS, HiveOptions
from agon.games.hive.move import PASS, Move
from agon.games.hive.notation import legal_move, legal_pass, parse_tile
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import SIDE_NAMES, Direction, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

BEFORE = {"\\": Direction.NW, "-": Direction.W, "/": Direction.SW}
AFTER = {"/": Direction.NE, "-": Direction.E, "\\": Direction.SE}
BEFORE_TEXTS = {direction: text for text, direction in BEFORE.items()}
AFTER_TEXTS = {direction: text for text, direction in AFTER.items()}
STATES = ("NotStarted", "InProgress", "Draw", "WhiteWins", "BlackWins")

_TILE = r"[wb](?:[QMLP]|[SB][12]|[GA][123])"
_MOVE = re.compile(
    rf"(?P<tile>{_TILE})(?: (?P<before>[-/\\])?(?P<reference>{_TILE})(?P<after>[-/\\])?)?"
)
_TURN = re.compile(r"(?:White|Black)\[[1-9][0-9]*\]")


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
    """Read a MoveString that is legal in this position; any touching reference will do."""
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


def format_uhp_move(position: HivePosition, move: Move) -> str:
    """The move as a MoveString; `parse_uhp_move` gives it back."""
    if move == PASS:
        return "pass"
    tile = format_uhp_tile(position.tile_of(move))
    reference, direction = position.choose_reference(move)
    if reference is None:
        return tile
    before = BEFORE_TEXTS.get(direction, "") if direction is not None else ""
    after = AFTER_TEXTS.get(direction, "") if direction is not None else ""
    return f"{tile} {before}{format_uhp_tile(reference)}{after}"


def format_state(position: HivePosition) -> str:
    """The GameStateString of a position."""
    if position.outcome is None:
        return "InProgress" if position.turn else "NotStarted"
    winner = position.outcome.winner
    return "Draw" if winner is None else f"{SIDE_NAMES[winner]}Wins"


def format_turn_string(position: HivePosition) -> str:
    """The TurnString of a position: `White[1]` before the first move."""
    return f"{SIDE_NAMES[position.side_to_move]}[{position.turn // 2 + 1}]"


def format_game(positions: Sequence[HivePosition]) -> str:
    """The GameString of a match, given all its positions from the first to the last."""
    last = positions[-1]
    parts = [last.options.variant, format_state(last), format_turn_string(last)]
    for before, after in pairwise(positions):
        if after.move is not None:
            parts.append(format_uhp_move(before, after.move))
    return ";".join(parts)


def parse_game(text: str, options: HiveOptions | None = None) -> list[HivePosition]:
    """Read a GameString, or a GameTypeString alone: all positions from the first to the last.

    The variant is the text's, all else that can be set is as in `options`. An error names the
    first part that does not hold.
    """
    variant, *rest = text.split(";")
    if variant not in VARIANTS:
        raise NotationError(f"game type {variant[:40]!r}: expected one of {', '.join(VARIANTS)}")
    positions = [HivePosition.start(replace(options or HiveOptions(), variant=variant))]
    if not rest:
        return positions
    if len(rest) < 2:
        raise NotationError(f"game {text[:60]!r}: expected type;state;turn;moves")
    state, turn, *moves = rest
    if state not in STATES:
        raise NotationError(f"game state {state[:40]!r}: expected one of {', '.join(STATES)}")
    if not _TURN.fullmatch(turn):
        raise NotationError(f"turn {turn[:40]!r}: expected a side and a number, such as White[1]")
    for number, move in enumerate(moves, 1):
        try:
            positions.append(positions[-1].play_move(parse_uhp_move(positions[-1], move)))
        except AgonError as error:
            raise type(error)(f"move {number} of the game: {error}") from None
    check_claim("turn", turn, format_turn_string(positions[-1]))
    check_claim("game state", state, format_state(positions[-1]))
    return positions


def check_claim(what: str, claimed: str, found: str) -> None:
    """Refuse a GameString whose head does not fit its moves."""
    if claimed != found:
        raise NotationError(f"{what} {claimed!r}: after the moves of this game it is {found}")
