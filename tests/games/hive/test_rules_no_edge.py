"""No edge of the board: rule R13."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from agon.games.hive import board, rules
from agon.games.hive.game import HiveOptions
from agon.games.hive.match_text import format_match
from agon.games.hive.move import Move, slot_of_tile
from agon.games.hive.notation import format_move, parse_move, parse_tile
from agon.games.hive.position import HivePosition
from agon.games.hive.tile import STEPS, Cell, Direction, neighbour
from agon.kernel import new_records
from tests.games.hive.naive import NaiveHive
from tests.games.hive.situation import ALL_TILES, pinned_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.hive.tile import Tile

AXES = {
    "west to east": (Direction.E, "*|"),
    "north-west to south-east": (Direction.SE, "*/"),
    "north-east to south-west": (Direction.SW, r"\*"),
}
on_each_axis = pytest.mark.parametrize(("axis", "contact"), AXES.values(), ids=AXES)


def torus(cell: Cell) -> int:
    return (board.START + cell[0] + 33 * cell[1]) % board.CELLS


def build(tiles: Iterable[tuple[Tile, Cell]], white_to_move: bool = True) -> HivePosition:
    """A position that no game led to: lone tiles on the given cells."""
    state = new_records(board.STATE)[0]
    rules.start(state, 7, 0, 0)
    cells = {}
    for tile, cell in tiles:
        slot = slot_of_tile(tile)
        board.put_tile(state, slot, torus(cell))
        state.placed[tile.side] |= 1 << (slot & 15)
        cells[torus(cell)] = cell
    state.turn = 100 if white_to_move else 101
    return HivePosition.of_state(HiveOptions("Base+MLP", repetition=False), state, cells)


def line(axis: Direction, length: int) -> list[Cell]:
    """A line of cells; in its middle the rules' cell numbers start again from 0."""
    q, r = STEPS[axis]
    zero = (0, -16)
    assert torus(zero) == 0
    steps = range(-(length // 2), length - length // 2)
    return [(zero[0] + q * i, zero[1] + r * i) for i in steps]


def line_up(first: str, last: str) -> list[Tile]:
    """All 28 tiles in a row; the two named ones stand at the ends, with the queens beside them."""
    ends = [parse_tile(name) for name in (first, last)]
    queens = [parse_tile(name) for name in ("wQ1", "bQ1")]
    rest = [tile for tile in ALL_TILES if tile not in ends + queens]
    return [ends[0], queens[0], *rest, queens[1], ends[1]]


@on_each_axis
def test_r13_line_of_28_tiles_is_pinned_inside(axis: Direction, contact: str) -> None:
    tiles = line_up("wG1", "bG1")
    position = build(zip(tiles, line(axis, 28), strict=True))
    assert pinned_tiles(position.copy_state()) == {str(tile) for tile in tiles[1:-1]}


@on_each_axis
def test_r13_grasshopper_jumps_over_27_tiles(axis: Direction, contact: str) -> None:
    tiles = line_up("wG1", "bG1")
    position = build(zip(tiles, line(axis, 28), strict=True))
    assert [format_move(position, move) for move in position.moves] == [f"wG1{contact}bG1"]
    cells = line(axis, 30)  # the same line with one more cell on either end
    assert position.target_of(position.moves[0]) == cells[-1]
    back = build(zip(tiles, line(axis, 28), strict=True), white_to_move=False)
    assert [back.target_of(move) for move in back.moves] == [cells[0]]


@on_each_axis
def test_r13_ant_walks_around_27_tiles(axis: Direction, contact: str) -> None:
    cells = line(axis, 28)
    position = build(zip(line_up("wA1", "bA1"), cells, strict=True))
    rim = {neighbour(cell, d) for cell in cells[1:] for d in Direction} - set(cells)
    assert len(rim) == 57
    assert {position.target_of(move) for move in position.moves} == rim
    assert len(position.moves) == 57


@on_each_axis
def test_r13_pins_beside_a_ring_at_the_end_of_a_long_line(axis: Direction, contact: str) -> None:
    """22 tiles in a line, and a ring of 6 around an empty cell at the end of it."""
    cells = line(axis, 22)
    hole = neighbour(neighbour(cells[-1], axis), axis)
    ring = [neighbour(hole, d) for d in Direction]
    tiles = line_up("wA1", "bA1")
    position = build(zip(tiles, [*cells, *ring], strict=True))
    joint = tiles[22 + ring.index(neighbour(cells[-1], axis))]
    pinned = {str(tile) for tile in tiles[1:22]} | {str(joint)}
    assert pinned_tiles(position.copy_state()) == pinned


@pytest.mark.parametrize("heading", list(Direction), ids=lambda d: d.name)
def test_r13_hive_wanders_off_around_the_torus(heading: Direction) -> None:
    """The referee, which has no torus, says where all tiles are."""
    naive = NaiveHive()
    position = HivePosition.start(HiveOptions(repetition=False))
    for text in ["wA1", "bA1*|wA1", "wQ1|*wA1", "bQ1*|bA1", "wA2|*wQ1", "bA2*|bQ1"]:
        position = play_both(position, naive, parse_move(position, text))
    while min(ahead(cell, heading) for cell in position.stacks) < 80:  # 40 cells: once around
        move = max(position.moves, key=partial(progress, position, heading))
        position = play_both(position, naive, move)
        assert {c: [str(t) for t in s] for c, s in position.stacks.items()} == naive.stacks
        assert position.turn < 200


def ahead(cell: Cell, heading: Direction) -> int:
    """How far along the heading a cell lies: a step that way counts 2, one beside it 1."""
    dq, dr = STEPS[heading]
    return (2 * cell[0] + cell[1]) * dq + (cell[0] + 2 * cell[1]) * dr


def progress(position: HivePosition, heading: Direction, move: Move) -> tuple[bool, int, Cell]:
    """How good a move is for the journey: all tiles walk, and the tile comes far ahead."""
    tile, target = position.tile_of(move), position.target_of(move)
    if tile not in position.places:
        return False, 0, target
    others = position.play_move(move).moves
    gain = ahead(target, heading) - ahead(position.places[tile], heading)
    return any(not other >> 15 for other in others), gain, target


def play_both(position: HivePosition, naive: NaiveHive, move: Move) -> HivePosition:
    naive.play((str(position.tile_of(move)), position.target_of(move)))
    return position.play_move(move)


def test_r13_white_queen_on_the_torus_cell_0() -> None:
    """Far in the north-west a white queen's walk is the move number 0, and it is no pass."""
    stone, left, right = (0, -15), (0, -16), (1, -16)
    assert torus(left) == 0
    tiles = [parse_tile("bA1"), parse_tile("bQ1"), parse_tile("wQ1")]
    before = build(zip(tiles, [stone, neighbour(stone, Direction.SE), right], strict=True))
    move = parse_move(before, "wQ1/*bA1")
    after = before.play_move(move)
    assert after.places[parse_tile("wQ1")] == left
    assert format_match([before, after]).endswith(r";wQ \bA1")
