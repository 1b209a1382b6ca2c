"""Turns as text: `3,14`, `3,14 favor 2`, `PASS`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agon.errors import IllegalMoveError, NotationError
from agon.games.mebipenny.board import NATURE, NO_OWNER
from agon.games.mebipenny.move import PASS, Move, Tile

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

PASS_TEXT = "PASS"  # noqa: S105
TURN = re.compile(r"([0-9]{1,4}),([0-9]{1,4})(?: favor ([0-9]))?", re.ASCII)


def parse_move(position: MebiPennyPosition, text: str) -> Move:
    """Read a move that is legal in this position."""
    if text == PASS_TEXT:
        return PASS
    found = TURN.fullmatch(text)
    if found is None:
        raise NotationError(
            f"turn {text[:40]!r}: expected a tile such as 3,14, or 3,14 favor 2, or {PASS_TEXT}"
        )
    row, col, favoured = found.groups()
    seat = None if favoured is None else int(favoured)
    try:
        return legal_move(position, Tile(int(row), int(col)), seat)
    except IllegalMoveError as error:
        raise IllegalMoveError(f"turn {text!r}: {error}") from None


def format_move(position: MebiPennyPosition, move: Move) -> str:
    """The move as text; `parse_move` gives it back."""
    if move == PASS:
        return PASS_TEXT
    row, col = position.tile_of(move)
    favoured = position.favoured_by(move)
    return f"{row},{col}" + (f" favor {favoured}" if favoured != position.next_seat else "")


def legal_move(position: MebiPennyPosition, tile: Tile, favoured: int | None) -> Move:
    """The move that plays this tile, if it is legal; who is favoured matters only in a tie (R8).

    A number that is no seat's stands for a player outside the match.
    """
    check_tile(position, tile)
    mover = position.next_seat
    tied = position.tied_seats(tile)
    if not tied:
        return position.encode_move(tile, mover)
    wanted = mover if favoured is None else favoured
    if wanted not in tied:
        seats = ", ".join(map(str, tied))
        if favoured is None:
            raise IllegalMoveError(
                f"the tie is between seats {seats}: one of them must be favoured"
            )
        raise IllegalMoveError(f"the tie is between seats {seats}, the favoured one is not of them")
    return position.encode_move(tile, wanted)


def check_tile(position: MebiPennyPosition, tile: Tile) -> None:
    """Say why the seat to move cannot play this tile, if it cannot (R5)."""
    if tile in position.hands[position.next_seat]:
        return
    row, col = tile
    if not position.is_on_board(tile):
        size = f"{position.options.rows} rows and {position.options.cols} columns"
        raise IllegalMoveError(f"tile {row},{col} is not on the board, which has {size}")
    owner = int(position.owners[tile])
    if owner == NATURE:
        raise IllegalMoveError(f"tile {row},{col} is a wall")
    if owner != NO_OWNER:
        raise IllegalMoveError(f"tile {row},{col} is claimed already, by seat {owner}")
    raise IllegalMoveError(f"tile {row},{col} is not in the hand of seat {position.next_seat}")
