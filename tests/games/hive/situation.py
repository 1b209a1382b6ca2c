"""A small language for rule cases: play a game in Agon's notation, then say what is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.errors import IllegalMoveError
from agon.games.hive import board
from agon.games.hive.game import HiveOptions
from agon.games.hive.move import PASS, slot_of_tile
from agon.games.hive.notation import format_move, parse_move
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import Kind, Tile
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.hive.move import Move
    from agon.kernel import Record

ALL_TILES = [
    Tile(side, kind, number)
    for side in (0, 1)
    for kind in Kind
    for number in range(1, kind.per_side + 1)
]
WHITE_WINS, BLACK_WINS, DRAW = (2, 0), (0, 2), (1, 1)


def play(moves: str, variant: str = "Base", queen_first: bool = False) -> HivePosition:
    """The position after a game in Agon's notation."""
    return replay(HivePosition.start(HiveOptions(variant, queen_first)), moves)


def replay(position: HivePosition, moves: str) -> HivePosition:
    for text in moves.split():
        position = position.play_move(parse_move(position, text))
    return position


def moves_of(position: HivePosition, tile: str) -> list[Move]:
    return [m for m in position.moves if m != PASS and str(position.tile_of(m)) == tile]


def assert_moves(position: HivePosition, tile: str, texts: str) -> None:
    """These, in any spelling, are the legal moves of the tile, each listed once, and no other."""
    expected = sorted(format_move(position, parse_move(position, text)) for text in texts.split())
    found = sorted(format_move(position, move) for move in moves_of(position, tile))
    assert found == expected, f"{tile}: found {found}, expected {expected}"


def assert_legal(position: HivePosition, texts: str) -> None:
    for text in texts.split():
        assert parse_move(position, text) in position.moves


def assert_illegal(position: HivePosition, texts: str) -> None:
    """Each is good notation for a move that the rules forbid."""
    for text in texts.split():
        with pytest.raises(IllegalMoveError):
            pytest.fail(f"{text} is legal: {parse_move(position, text)}")


def assert_stuck(position: HivePosition, tiles: str) -> None:
    """None of the tiles can move or be thrown."""
    for tile in tiles.split():
        assert_moves(position, tile, "")


def scores(position: HivePosition) -> tuple[int, ...] | None:
    return position.outcome.scores if position.outcome else None


def pinned_tiles(state: Record) -> set[str]:
    """The lone tiles whose lifting would split the hive, as the rules see it."""
    work = new_records(board.WORK)[0]
    pins = board.find_pins(state, work)
    pinned = set()
    for tile in ALL_TILES:
        slot = slot_of_tile(tile)
        on_board = int(state.placed[tile.side]) >> (slot & 15) & 1
        if on_board and board.is_pinned(state, work, int(state.cell_of[slot]), pins):
            pinned.add(str(tile))
    return pinned
