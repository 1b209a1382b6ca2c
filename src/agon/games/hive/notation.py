"""Agon's notation: `wG2/*bA1` puts the second white grasshopper at bA1's upper left face.

A move is a tile, a point of contact and the tile that it refers to; the first move of a match is a
tile alone, and a forced pass is the word `pass`. Any tile that lies where it says will do as the
reference; `format_move` always chooses the same one.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from agon.errors import IllegalMoveError, NotationError
from agon.games.hive.line_code import PASS_LINE, REFERENCE_SHIFT, SIDE_SHIFT
from agon.games.hive.move import PASS, TILES, Move, slot_of_tile
from agon.games.hive.report import ON_TOP
from agon.games.hive.tile import (
    KIND_LETTERS,
    ORIGIN,
    Cell,
    Direction,
    Kind,
    Tile,
    neighbour,
)

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition

CONTACTS = {
    "/*": Direction.NW,
    "|*": Direction.W,
    r"\*": Direction.SW,
    "*\\": Direction.NE,
    "*|": Direction.E,
    "*/": Direction.SE,
    "=*": None,
}
SLOTS_BY_NAME = {str(tile): slot for slot, tile in TILES.items()}
LINES = {"pass": PASS_LINE} | {
    f"{tile}{contact}{other}": reference << REFERENCE_SHIFT
    | (ON_TOP if direction is None else direction) << SIDE_SHIFT
    | slot
    for tile, slot in SLOTS_BY_NAME.items()
    for contact, direction in CONTACTS.items()
    for other, reference in SLOTS_BY_NAME.items()
}
LINE_TEXTS = {line: text for text, line in LINES.items()}


def parse_tile(text: str) -> Tile:
    """Read a tile's name.

    >>> parse_tile("bA1")
    Tile(side=1, kind=<Kind.ANT: 4>, number=1)
    """
    slot = SLOTS_BY_NAME.get(text)
    if slot is None:
        raise NotationError(
            f"tile {text!r}: expected w or b, one of {KIND_LETTERS}, and a number, such as wG2"
        )
    return TILES[slot]


def parse_move(position: HivePosition, text: str) -> Move:
    """Read a move that is legal in this position."""
    line = LINES.get(text)
    move = None if line is None else position.find_line(line)
    return parse_in_words(position, text) if move is None else move


def parse_in_words(position: HivePosition, text: str) -> Move:
    """Read a move step by step, to say what is wrong with it."""
    if text == "pass":
        return legal_pass(position)
    if len(text) not in (3, 8):
        raise NotationError(
            f"move {text[:40]!r}: expected a tile, a point of contact and a tile, such as wG2/*bA1"
        )
    tile = parse_tile(text[:3])
    if len(text) == 3:
        return legal_move(position, text, tile, None, None)
    contact = text[3:5]
    if contact not in CONTACTS:
        raise NotationError(
            f"point of contact {contact!r} in {text!r}: expected one of {' '.join(CONTACTS)}"
        )
    reference = parse_tile(text[5:])
    if reference == tile:
        raise IllegalMoveError(f"move {text!r}: a tile cannot refer to itself")
    return legal_move(position, text, tile, reference, CONTACTS[contact])


@functools.lru_cache(maxsize=4)  # all who are told of a move ask for it in turn
def format_move(position: HivePosition, move: Move) -> str:
    """The move as text; `parse_move` gives it back."""
    text = LINE_TEXTS.get(position.line_of(move))
    return str(position.tile_of(move)) if text is None else text  # the first refers to nothing


def legal_pass(position: HivePosition) -> Move:
    """The pass, if it is legal: R11."""
    if PASS not in position.moves:
        raise IllegalMoveError("pass: only legal when there is no other move")
    return PASS


def legal_move(
    position: HivePosition,
    text: str,
    tile: Tile,
    reference: Tile | None,
    direction: Direction | None,
) -> Move:
    """The legal move of `tile` to that side of `reference`; errors quote `text`.

    Without a reference the move is the first of the match; without a direction it ends on top.
    """
    check_tile(position, text, tile)
    if reference is None:
        if position.turn:
            raise NotationError(f"move {text!r}: expected a point of contact and a tile after it")
    elif not position.is_placed(reference):
        raise IllegalMoveError(f"move {text!r}: {reference} is not on the board")
    other = None if reference is None else slot_of_tile(reference)
    move = position.find_move_beside(slot_of_tile(tile), other, direction)
    if move is None:
        target = ORIGIN if reference is None else position.places[reference]
        if direction is not None:
            target = neighbour(target, direction)
        raise IllegalMoveError(f"move {text!r}: {why_not(position, tile, target)}")
    return move


def check_tile(position: HivePosition, text: str, tile: Tile) -> None:
    """Refuse a tile that is not in this match, or whose number is not the next to be played."""
    if position.is_placed(tile):
        return
    left = position.hands[tile.side].get(tile.kind, 0)
    if not left:
        raise IllegalMoveError(f"move {text!r}: there is no {tile} in {position.options.variant}")
    number = tile.kind.per_side - left + 1
    if tile.number != number:
        expected = Tile(tile.side, tile.kind, number)
        raise IllegalMoveError(f"move {text!r}: the next such tile to be placed is {expected}")


def why_not(position: HivePosition, tile: Tile, target: Cell) -> str:
    """Why no legal move brings the tile there, as well as a few questions can tell."""
    if position.outcome:
        return "the match is over"
    side = position.side_to_move
    moves = [move for move in position.moves if move != PASS]
    if tile not in position.places:
        if tile.side != side:
            return f"it is the other side's turn, {tile} is not theirs to place"
        if target in position.stacks:
            return "a tile is placed on an empty cell"
        if not any(m >> 15 and position.tile_of(m) == tile for m in moves):
            return "that kind of tile cannot be placed on this turn"
        if not position.turn:
            return "the first tile lies at 0,0"
        return "a new tile touches own tiles only"
    stack = position.stacks[position.places[tile]]
    if stack[-1] != tile:
        return f"{tile} is covered by {stack[-1]}"
    if any(kind is Kind.QUEEN for kind in position.hands[side]):
        return "nothing moves before the own queen is placed"
    if not any(not m >> 15 and position.tile_of(m) == tile for m in moves):
        return f"{tile} cannot move now"
    return f"{tile} cannot get there"
