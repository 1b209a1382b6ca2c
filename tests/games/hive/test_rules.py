r"""The rules of Hive, one by one; the numbers are those of the game's README.

Each situation is a short game in the seed's notation, drawn above its test in the seed's style: a
number on an upper edge is the height of a stack, brackets mark the tile that moved last, and `*`
where it came from.

      / \ /2\
     |wQ1[bB1]
      \ / \ /
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from agon.errors import IllegalMoveError
from agon.games.hive import board, rules
from agon.games.hive.game import HiveOptions
from agon.games.hive.notation import format_move, parse_move, parse_tile
from agon.games.hive.position import PASS, HivePosition, slot_of_tile
from agon.games.hive.tile import ORIGIN, STEPS, Cell, Direction, Kind, Tile, neighbour
from agon.games.hive.uhp_notation import format_game
from agon.kernel import new_records
from tests.games.hive.naive import NaiveHive

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.hive.position import Move
    from agon.kernel import Record

WHITE_WINS, BLACK_WINS, DRAW = (2, 0), (0, 2), (1, 1)


# --- A small language for rule cases ------------------------------------------------------------


def play(moves: str, variant: str = "Base", queen_first: bool = False) -> HivePosition:
    """The position after a game in the seed's notation."""
    return replay(HivePosition.start(HiveOptions(variant, queen_first)), moves)


def replay(position: HivePosition, moves: str) -> HivePosition:
    for text in moves.split():
        position = position.play_move(parse_move(position, text))
    return position


def moves_of(position: HivePosition, tile: str) -> set[Move]:
    return {m for m in position.moves if m != PASS and str(position.tile_of(m)) == tile}


def assert_moves(position: HivePosition, tile: str, texts: str) -> None:
    """These, in any spelling, are the legal moves of the tile, and there is no other."""
    expected = {parse_move(position, text) for text in texts.split()}
    found = moves_of(position, tile)
    assert {format_move(position, m) for m in found} == {format_move(position, m) for m in expected}


def assert_legal(position: HivePosition, texts: str) -> None:
    for text in texts.split():
        assert parse_move(position, text) in position.moves


def assert_illegal(position: HivePosition, texts: str) -> None:
    """Each is good notation for a move that the rules forbid."""
    for text in texts.split():
        with pytest.raises(IllegalMoveError):
            parse_move(position, text)


def assert_stuck(position: HivePosition, tiles: str) -> None:
    """None of the tiles can move or be thrown."""
    for tile in tiles.split():
        assert_moves(position, tile, "")


def scores(position: HivePosition) -> tuple[int, ...] | None:
    return position.outcome.scores if position.outcome else None


# --- R1: placing --------------------------------------------------------------------------------


def test_r01_first_tile_lies_at_the_origin() -> None:
    start = play("")
    assert {format_move(start, m) for m in start.moves} == {"wS1", "wB1", "wG1", "wA1"}
    assert dict(play("wS1").places) == {parse_tile("wS1"): ORIGIN}


def test_r01_expansions_are_in_hand_only_if_chosen() -> None:
    assert_legal(play("", "Base+MLP"), "wM1 wL1 wP1")
    assert_legal(play("", "Base+L"), "wL1")
    assert_illegal(play("", "Base+L"), "wM1 wP1")


def test_r01_second_tile_touches_the_first() -> None:
    position = play("wS1")
    assert_moves(position, "bA1", r"bA1/*wS1 bA1*\wS1 bA1*|wS1 bA1*/wS1 bA1\*wS1 bA1|*wS1")
    assert_illegal(position, "bA1=*wS1")


def test_r01_new_tile_touches_own_colour_only() -> None:
    position = play("wS1 bS1*|wS1")
    assert_moves(position, "wA1", r"wA1/*wS1 wA1|*wS1 wA1\*wS1")
    assert_illegal(position, r"wA1*\wS1 wA1*/wS1 wA1*|bS1 wA1=*wS1 wA1=*bS1")


def test_r01_tiles_of_a_kind_are_played_in_order() -> None:
    position = play("wS1 bS1*|wS1")
    assert_legal(position, "wS2|*wS1 wA1|*wS1")
    assert_illegal(position, "wA2|*wS1 wA3|*wS1 bA1|*wS1")


#    / \
#   |wB1|
#  / \ /2\ / \
# |wQ1[bB1]bQ1|     bB1 stands on wS1
#  \ / \ / \ /
#         *
BEETLE_ON_SPIDER = r"wS1 bB1*/wS1 wQ1|*wS1 bQ1*|bB1 wB1/*wQ1 bQ1*|wS1 wB1/*wS1 bB1=*wS1"


def test_r01_only_the_top_of_a_stack_counts() -> None:
    position = play(BEETLE_ON_SPIDER)
    assert_moves(position, "wA1", r"wA1|*wQ1 wA1/*wQ1 wA1\*wQ1 wA1/*wB1 wA1*\wB1")
    assert_illegal(position, r"wA1\*bB1 wA1*|wB1")  # touch wS1 as well, but it is covered
    black = replay(position, r"wB1/*wQ1")
    assert_moves(black, "bA1", r"bA1*\bB1 bA1*/bB1 bA1*\bQ1 bA1*|bQ1 bA1*/bQ1")


# --- R2: the queen comes first ------------------------------------------------------------------


def test_r02_queen_is_no_first_tile() -> None:
    assert_illegal(play(""), "wQ1")
    assert_illegal(play("wS1"), "bQ1*|wS1")
    assert_legal(play("wS1 bS1*|wS1"), "wQ1|*wS1")


def test_r02_queen_may_be_first_by_option() -> None:
    assert_legal(play("", queen_first=True), "wQ1 wS1")
    assert_legal(play("wQ1", queen_first=True), "bQ1*|wQ1 bS1*|wQ1")


def test_r02_queen_is_down_by_the_fourth_turn() -> None:
    third = play(r"wS1 bS1*|wS1 wA1|*wS1 bA1*|bS1")
    assert_legal(third, "wG1|*wA1 wQ1|*wA1")
    for fourth, queen in (
        (replay(third, "wA2|*wA1 bA2*|bA1"), "wQ1"),
        (replay(third, "wA2|*wA1 bA2*|bA1 wQ1|*wA2"), "bQ1"),
    ):
        assert {str(fourth.tile_of(m)) for m in fourth.moves} == {queen}
    assert_illegal(replay(third, "wA2|*wA1 bA2*|bA1"), "wG1|*wA2 wA3|*wA2")


def test_r02_nothing_moves_before_its_queen_is_placed() -> None:
    position = play(r"wS1 bS1*|wS1 wA1|*wS1 bQ1*|bS1")
    assert all(m >> 15 for m in position.moves)
    assert_illegal(position, "wA1*|bQ1")
    assert_legal(replay(position, r"wQ1/*wS1"), r"bQ1*\bS1")
    assert_legal(replay(position, r"wQ1/*wS1 bQ1*\bS1"), "wA1*|bQ1")


def test_r02_nothing_is_thrown_before_the_throwers_queen_is_placed() -> None:
    position = play(r"wP1 bS1*|wP1 wG1|*wP1 bQ1*|bS1", "Base+P")
    assert_illegal(position, "wG1*/wP1")
    assert_legal(replay(position, r"wQ1/*wP1 bQ1*\bS1"), "wG1*/wP1")


# --- R3: one hive -------------------------------------------------------------------------------


def test_r03_inside_of_a_line_is_pinned() -> None:
    position = play("wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1")
    assert_stuck(position, "wS1")
    assert_moves(position, "wQ1", r"wQ1/*wS1 wQ1\*wS1")


#  / \ / \
# |wQ1|wS1|
#  \ / \ / \
#       |wA1|
#  / \ / \ /
# [bQ1]bS1|
#  \ / \ /
#     *
def test_r03_pinned_even_if_the_move_would_join_again() -> None:
    position = play(r"wA1 bS1\*wA1 wS1/*wA1 bQ1\*bS1 wQ1|*wS1 bQ1|*bS1")
    assert_stuck(position, "wA1 wS1")
    assert_illegal(position, "wA1/*bQ1")  # would close the ring on its other side
    assert_moves(position, "wQ1", r"wQ1/*wS1 wQ1\*wS1")


#    / \ / \
#   |wQ1|wA1|
#  / \ / \ / \ / \
# |bQ1| * |wG1[bG1]
#  \ / \ / \ / \ /
#   |bA1|bB1|
#    \ / \ /
def test_r03_ring_holds_without_one_of_its_tiles() -> None:
    position = play(
        r"wA1 bG1\*wA1 wQ1/*wA1 bQ1|*bG1 wQ1|*wA1 bB1*/bG1 wG1/*wA1 bA1*/bQ1 wG1*|bG1 bG1*|wG1"
    )
    assert len(moves_of(position, "wA1")) == 13  # everywhere around, but not into the ring
    assert_moves(position, "wQ1", r"wQ1/*wA1 wQ1/*bQ1")
    assert_stuck(position, "wG1")  # bG1 hangs on it


#         *
#  / \ /2\ / \
# |wQ1|wB1|bQ1|      wB1 stands on wS1
#  \ / \ / \ / \
#           [bG1]
#            \ /
def test_r03_tile_on_top_is_never_pinned() -> None:
    position = play(r"wS1 bG1*\wS1 wB1*/wS1 bQ1*|bG1 wQ1|*wS1 bQ1*|wS1 wB1=*wS1 bG1*/bQ1")
    assert_moves(position, "wB1", r"wB1/*wS1 wB1*\wS1 wB1=*bQ1 wB1*/wS1 wB1\*wS1 wB1=*wQ1")
    assert_stuck(replay(position, "wB1/*wS1 bS1*|bQ1"), "wS1")  # uncovered, it is pinned


def test_r03_pins_hold_while_a_queen_is_in_hand() -> None:
    position = play("wS1 bS1*|wS1 wQ1|*wS1 bA1*|bS1")
    assert position.hands[1][Kind.QUEEN] == 1
    assert_stuck(position, "wS1")
    assert_moves(position, "wQ1", r"wQ1/*wS1 wQ1\*wS1")


def test_r03_pins_are_found_while_both_queens_are_in_hand() -> None:
    position = play("wS1 bS1*|wS1 wA1|*wS1 bA1*|bS1")
    assert pinned_tiles(position.copy_state()) == {"wS1", "bS1"}


def pinned_tiles(state: Record) -> set[str]:
    """The lone tiles whose lifting would split the hive, as the rules see it."""
    work = new_records(board.WORK)[0]
    pins = board.find_pins(state, work)
    tiles = [
        (side * 16 + place, Tile(side, kind, number))
        for side in (0, 1)
        for kind in Kind
        for number in range(1, kind.per_side + 1)
        for place in [slot_of_tile(Tile(0, kind, number))]
        if int(state.placed[side]) >> place & 1
    ]
    return {
        str(tile)
        for slot, tile in tiles
        if board.is_pinned(state, work, int(state.cell_of[slot]), pins)
    }


# --- R4: sliding --------------------------------------------------------------------------------


#    / \ / \
#   |wA1|bB1|
#  / \ / \ / \ / \
# |wQ1|   |bQ1[bG1]
#  \ / \ / \ / \ /
#   |wA2|bA1|
#    \ / \ /
RING = r"wA1 bB1*|wA1 wQ1\*wA1 bQ1*/bB1 wA2|*wA1 bA1\*bQ1 wA2*/wQ1 bG1*|bQ1"


def test_r04_gate_blocks_slide() -> None:
    position = play(RING)
    assert_moves(position, "wQ1", r"wQ1|*wA1 wQ1|*wA2")
    assert_illegal(position, "wQ1*/wA1 wQ1|*bQ1")  # between wA1 and wA2 into the ring


#        / \
#       [bQ1]
#  / \   \ / \
# |wQ1|   |bA1|
#  \ / \ / \ /
#   |wG1|bG1|
#    \ / \ /
def test_r04_slide_keeps_contact() -> None:
    position = play(r"wG1 bG1*|wG1 wQ1|*wG1 bA1*\bG1 wQ1/*wG1 bQ1/*bA1")
    assert_moves(position, "wQ1", r"wQ1*\wG1 wQ1|*wG1")
    assert_illegal(position, "wQ1|*bQ1")  # a neighbour cell, but nothing to slide along


def test_r04_mover_does_not_slide_along_itself() -> None:
    # |wS1|wQ1|bS1|bQ1|
    position = play(r"wQ1 bS1*|wQ1 wS1|*wQ1 bQ1*|bS1", queen_first=True)
    assert_moves(position, "wS1", r"wS1/*bQ1 wS1*/bS1")


# --- R5: climbing -------------------------------------------------------------------------------


#      / \
#     |wB2|
#    /2\ /
#   [bB2]
#  / \ / \
# |wB1|wQ1|
#  \ /2\ /
#   |bB1|
#    \ /
def test_r05_beetle_climbs_up_between_stacks_no_higher_than_its_way() -> None:
    gated = play(
        r"wG1 bB1\*wG1 wQ1*|wG1 bQ1*/bB1 wQ1*|bB1 bB1=*bQ1 wB1|*wG1 bB2|*bB1 wB1\*wG1 bB2=*wB1 "
        r"wB2*\wG1 bB2=*wG1"
    )
    assert_moves(gated, "wB1", r"wB1=*bB2 wB1=*bB1 wB1|*bB2 wB1|*bB1")
    assert_illegal(gated, "wB1=*wQ1")
    assert_legal(replay(gated, r"wS1*\wB2 bB2|*wB2"), "wB1=*wQ1")


#    / \
#   [bQ1] *
#  / \ / \
# |wB1|bA1|
#  \ / \ /
#   |wQ1|
#    \ /
def test_r05_stacks_as_high_as_the_way_are_no_gate() -> None:
    position = play(r"wB1 bA1*|wB1 wQ1\*wB1 bQ1*\bA1 wQ1*/wB1 bQ1/*bA1")
    assert_moves(position, "wB1", r"wB1=*bQ1 wB1=*bA1 wB1=*wQ1 wB1|*bQ1 wB1|*wQ1")


#    /2\
#   [bB1]
#  /2\ /
# |wB1| *
#  \ /2\
#   |bB2|
#    \ /
def test_r05_beetle_climbs_down_between_stacks_no_higher_than_its_way() -> None:
    gated = play(
        r"wA1 bB1*/wA1 wQ1|*wA1 bQ1\*bB1 wQ1\*wA1 bB2\*bQ1 wB1|*wA1 bB2=*bQ1 wB1=*wQ1 bB1=*wA1"
    )
    assert_moves(gated, "wB1", r"wB1|*bB1 wB1=*bB1 wB1=*bB2 wB1\*wQ1 wB1|*wQ1")
    assert_illegal(gated, "wB1*|wQ1")


#  / \ /2\
# |wG2[bB1]
#  \ /3\ /
#   |wB1| *
#    \ /2\
#     |bB2|
#    / \ /
#   |bQ1|
#    \ /
def test_r05_higher_end_of_the_way_counts() -> None:
    position = play(
        r"wG1 bG1*/wG1 wQ1*\wG1 bB1*|bG1 wB1|*wG1 bB2*/bG1 wB2|*wQ1 bQ1\*bG1 wB2=*wG1 bB1*|wB2 "
        r"wB1=*wB2 bB2=*bG1 wG2|*wQ1 bB1=*wQ1"
    )
    assert_legal(position, "wB1*|wB2")  # to the ground between two stacks of 2, from a height of 2


#    /2\
#   |bB1|
#  /2\ / \
# |wB1|bQ1|
#  \ /2\ /
#   [bB2] *
#    \ /
def test_r05_gate_on_top_of_the_hive() -> None:
    position = play(
        r"wG1 bB1*|wG1 wQ1\*wG1 bQ1*/bB1 wB1*/wQ1 bQ1*|wQ1 wB1=*wQ1 bB1=*wG1 wA1\*wB1 bB2*/bQ1 "
        r"wA1*/wB1 bB2=*wA1"
    )
    assert_moves(position, "wB1", r"wB1|*bB1 wB1=*bB1 wB1=*bB2 wB1\*wQ1 wB1|*wQ1")
    assert_illegal(position, "wB1=*bQ1")


#      / \
#     [bM1]
#    /2\ /
#   |bB1|
#  / \ / \
# |wM1|wQ1|
#  \ /2\ /
#   |bB2|
#    \ /
def test_r05_mosquito_as_beetle_obeys_gates() -> None:
    gated = play(
        r"wA1 bB1*/wA1 wM1|*wA1 bQ1\*bB1 wQ1*\wA1 bB2*|bQ1 wM1\*wA1 bB1=*wA1 wQ1*|bB1 bB2=*bQ1 "
        r"wQ1*|wM1 bM1*\bB1",
        "Base+M",
    )
    assert_moves(gated, "wM1", r"wM1=*bB1 wM1=*bB2 wM1|*bB1 wM1|*bB2")
    assert_illegal(gated, "wM1=*wQ1")
    assert_legal(replay(gated, r"wG1|*wM1 bB2*/bQ1 wG1*|wQ1 bS1*\bM1"), "wM1=*wQ1")


#      /2\
#     |bB1|
#    / \ / \ / \
#   |wL1|bA1|bQ1|
#  / \ /2\ / \ /
# |wQ1[bB2] *
#  \ / \ /
def test_r05_ladybug_obeys_gates_on_its_way_up() -> None:
    gated = play(
        r"wL1 bA1*|wL1 wQ1\*wL1 bQ1*|bA1 wA1/*wL1 bB1/*bQ1 wA1|*bB1 bB1=*wA1 wA2\*wQ1 bB2*/bA1 "
        r"wA2*|wQ1 bB2=*wA2",
        "Base+L",
    )
    around_bb1 = r"wL1*|bB1"
    assert_moves(
        gated, "wL1", rf"{around_bb1} wL1*|bB2 wL1/*wQ1 wL1*/wQ1 wL1\*wQ1 wL1|*wQ1 wL1*/bB2"
    )
    assert_illegal(gated, r"wL1*|bQ1 wL1*\bQ1")  # over bA1 and bQ1
    assert_legal(replay(gated, r"wS1\*wQ1 bB2*/bA1"), r"wL1*|bQ1 wL1*\bQ1")


#        /2\
#       |bB1|
#  / \ / \ / \
# |wL1|wQ1|wS2|
#  \ / \ /2\ /
#       |bB2|
#      / \ /
#     [bA1]
#      \ /
def test_r05_ladybug_obeys_gates_along_the_top() -> None:
    gated = play(
        r"wS1 bB1*/wS1 wQ1|*wS1 bQ1\*bB1 wQ1\*wS1 bB2*|bQ1 wL1|*wQ1 bB2=*bQ1 wS2/*wS1 bB1=*wS1 "
        r"wS2*|wQ1 bA1\*bB2",
        "Base+L",
    )
    assert_moves(gated, "wL1", r"wL1/*bB1 wL1*\bB1 wL1*|bB1 wL1|*bB1 wL1*|bB2 wL1*|bA1 wL1\*wQ1")
    assert_illegal(gated, "wL1*|wS2")  # over wQ1 and wS2, between the stacks
    assert_legal(replay(gated, r"wA1|*wL1 bB2=*bA1 wA1/*bB1 bS1*/bB2"), "wL1*|wS2")


#            /2\
#           [bB2] *
#  / \ / \ / \ /
# |wL1|wA1|bA1|
#  \ / \ / \ /2\
#   |wQ1|   |bB1|
#    \ /     \ /
def test_r05_ladybug_obeys_gates_on_its_way_down() -> None:
    gated = play(
        r"wA1 bA1*|wA1 wL1|*wA1 bQ1*/bA1 wQ1/*wA1 bG1*\bA1 wQ1/*wL1 bB1*|bA1 wQ1|*wL1 bB1=*bQ1 "
        r"wQ1\*wL1 bB2*|bG1 wQ1*/wL1 bB2=*bG1",
        "Base+L",
    )
    assert_illegal(gated, "wL1*|bA1")
    assert_legal(gated, r"wL1/*bA1 wL1\*bA1")
    assert_legal(replay(gated, r"wS1\*wQ1 bB2*\bG1"), "wL1*|bA1")


#      / \
#     |bQ1|
#    /2\ /
#   |bB1|
#  / \ / \
# |wP1|bS1|
#  \ /2\ /
#   [bB2] *
#    \ /
def test_r05_throw_obeys_gates_on_its_way_in() -> None:
    gated = play(
        r"wP1 bS1*|wP1 wQ1\*wP1 bB1*\bS1 wQ1*/wP1 bQ1/*bB1 wQ1\*bQ1 bB1=*wQ1 wB1\*wP1 bB2*/bS1 "
        r"wB1*/wP1 bB2=*wB1",
        "Base+P",
    )
    assert_stuck(gated, "bS1")
    opened = replay(gated, r"wG1|*wP1 bB2*|wB1")
    assert_moves(opened, "bS1", r"bS1/*wP1 bS1\*wP1")


#        /2\
#       [bB1]
#  / \ / \ /
# |wQ1|wP1|
#  \ / \ /2\
#       |bB2|
#        \ /
def test_r05_throw_obeys_gates_on_its_way_out() -> None:
    gated = play(
        r"wS1 bB1*/wS1 wQ1*\wS1 bQ1*|bB1 wP1*|wQ1 bB2*/bB1 wP1*|wS1 bB2=*bQ1 wS1*|wQ1 bB1=*wP1 "
        r"wQ1|*bB1 bB1=*wS1",
        "Base+P",
    )
    assert_moves(gated, "wQ1", r"wQ1/*wP1 wQ1\*wP1")
    assert_illegal(gated, "wQ1*|wP1")
    assert_legal(replay(gated, r"wA1|*wQ1 bB1*\wS1 wA1*\bB1 bS1*/bB2"), "wQ1*|wP1")


# --- R6: ant, spider, grasshopper ---------------------------------------------------------------


#        / \
#       |wA1|
#  / \ / \ /
# |wQ1|wG1|
#  \ / \ / \
#       |bA1|
#  / \ / \ /
# [bQ1]bS1|
#  \ / \ /
POCKET = r"wG1 bA1*/wG1 wQ1|*wG1 bS1\*bA1 wA1*\wG1 bQ1|*bS1"


def test_r06_ant_goes_round_but_not_into_a_gated_pocket() -> None:
    position = play(POCKET)
    assert_moves(
        position,
        "wA1",
        r"wA1/*wG1 wA1/*wQ1 wA1|*wQ1 wA1/*bQ1 wA1|*bQ1 wA1\*bQ1 wA1\*bS1 wA1*/bS1 wA1*|bS1 "
        r"wA1*|bA1 wA1*|wG1",
    )
    assert_illegal(position, "wA1|*bA1")  # between wQ1 and bQ1 into the pocket


def test_r06_ant_does_not_end_where_it_started() -> None:
    assert_illegal(play(POCKET), r"wA1*\wG1")


def test_r06_spider_slides_three_times() -> None:
    # |wS1|wQ1|bS1|bQ1|
    position = play("wQ1 bS1*|wQ1 wS1|*wQ1 bQ1*|bS1", queen_first=True)
    assert_illegal(position, r"wS1/*wQ1 wS1*\wQ1 wS1\*wQ1 wS1*/wQ1")  # one slide, or two
    assert_illegal(position, r"wS1*\bQ1 wS1*/bQ1 wS1*|bQ1 wS1|*wQ1")  # more, or none


#  / \ / \ / \
# |wS2|wQ1|wS1|
#  \ / \ / \ / \
#     1   2 |wA1|
#  / \     / \ /
# [bQ1] 3 |bA1|
#  \ / \ / \ /
#   |bA2|bG1|
#    \ / \ /
def test_r06_spider_is_on_no_cell_of_its_path_twice() -> None:
    """Cells 2 and 3 are two slides away, by way of 1; through each other they are three."""
    position = play(r"wA1 bA1\*wA1 wS1/*wA1 bG1\*bA1 wQ1|*wS1 bA2|*bG1 wS2|*wQ1 bQ1/*bA2")
    assert_moves(position, "wS2", r"wS2*\wS1 wS2*/wQ1 wS2*|bQ1 wS2|*bQ1")
    assert_illegal(position, r"wS2\*wQ1")  # back to 1 would be twice on one cell


#    / \ / \
#   |wQ1|wG1| *
#  /2\ / \ / \ / \
# |wB1|   |bB1|wG2|
#  \ / \ / \ / \ /
#   |bQ1|bA1|
#    \ / \ /
#     [bG1]
#      \ /
HOLE = (
    r"wG1 bB1*/wG1 wQ1|*wG1 bA1\*bB1 wA1\*wQ1 bQ1\*bA1 wB1|*wA1 bQ1*/wA1 wB1=*wA1 bG1*/bQ1 "
    r"wG2*\wG1 bG1*|wG1 wG2*|bB1 bG1*/bQ1"
)


def test_r06_grasshopper_jumps_into_an_enclosed_hole() -> None:
    position = play(HOLE)
    assert_moves(position, "wG2", "wG2|*bB1")
    assert_illegal(position, "wG2|*wQ1 wG2|*wB1")  # not on over the hole


#    / \ / \
#   |wQ1[bQ1] *
#  / \ / \ / \
# |wG2|wG1|bA1|
#  \ / \ / \ /
def test_r06_grasshopper_jumps_over_one_tile_or_more() -> None:
    position = play(r"wG1 bA1*|wG1 wG2|*wG1 bQ1*\bA1 wQ1/*wG1 bQ1*|wQ1")
    assert_moves(position, "wG1", r"wG1/*wQ1 wG1*\bQ1 wG1*|bA1 wG1|*wG2")
    assert_moves(position, "wG2", r"wG2*\wQ1 wG2*|bA1")
    assert_illegal(position, r"wG2/*wQ1 wG2*/wG1 wG1*/bA1 wG2*|bQ1")  # no slide, no bend


#         *
#  / \ /2\ / \
# |wG1[bB2]bQ1|
#  \ / \ / \ /
#   |wQ1|
#    \ /
def test_r06_grasshopper_does_not_mind_heights() -> None:
    position = play(r"wG1 bB1*|wG1 wQ1|*wG1 bQ1*|bB1 wQ1\*wG1 bB2/*bQ1 wQ1*/wG1 bB2=*bB1")
    assert_moves(position, "wG1", r"wG1*|bQ1 wG1*/wQ1")


# --- R7: beetle and stacks ----------------------------------------------------------------------


#         *
#  / \ /3\ / \
# |wQ1[wB1]bQ1|      on bB1 on wS1
#  \ / \ / \ /
def test_r07_top_gives_the_stack_its_colour() -> None:
    position = play(r"wS1 bB1*/wS1 wB1/*wS1 bQ1*|bB1 wQ1\*wB1 bQ1*|wS1 wB1/*bQ1 bB1=*wS1 wB1=*bB1")
    assert position.stacks[ORIGIN] == tuple(map(parse_tile, ("wS1", "bB1", "wB1")))
    assert_moves(position, "bA1", r"bA1*\bQ1 bA1*|bQ1 bA1*/bQ1")
    assert_illegal(position, r"bA1/*bQ1 bA1\*bQ1")
    assert_stuck(position, "bB1")  # covered in turn
    assert_legal(replay(position, r"bG1*|bQ1"), r"wA1/*wB1 wA1\*wB1")


#  / \
# |wG1|
#  \ / \ / \
#   |wQ1|bQ1|
#    \ /2\ /
#     [bB1] *         bB1 stands on wA1
#      \ /
def test_r07_covered_tile_does_not_move() -> None:
    covered = play(r"wA1 bB1*|wA1 wQ1|*wA1 bQ1*\bB1 wQ1/*wA1 bQ1*|wQ1 wG1/*wQ1 bB1=*wA1")
    assert_stuck(covered, "wA1")
    free = replay(covered, r"wG2/*wG1 bB1=*bQ1")
    assert len(moves_of(free, "wA1")) > 5


#  / \ / \ /2\ / \
# |wG1|wQ1[bB1]bQ1|      bB1 stands on wP1
#  \ / \ / \ / \ /
#             *
def test_r07_covered_pillbug_does_not_throw() -> None:
    covered = play(r"wP1 bB1*/wP1 wQ1*\wP1 bQ1*|bB1 wQ1|*wP1 bQ1*|wP1 wG1|*wQ1 bB1=*wP1", "Base+P")
    assert_stuck(covered, "bQ1 bB1 wP1")
    freed = replay(covered, "wG2|*wG1 bB1=*bQ1")
    assert_stuck(freed, "bQ1 bB1")
    freed = replay(covered, "wG1*|bQ1 bB1*\\wP1")
    assert_moves(freed, "wQ1", r"wQ1/*wP1 wQ1\*wP1 wQ1*/wP1")


#    / \
#   |wQ1|
#  / \ /2\
# |wP1[bB1]      bB1 stands on wA1
#  \ / \ /
#   |bQ1| *
#    \ /
def test_r07_no_tile_of_a_stack_is_thrown() -> None:
    position = play(r"wA1 bB1*/wA1 wP1|*wA1 bQ1\*bB1 wQ1\*wP1 bQ1*|wQ1 wQ1/*wA1 bB1=*wA1", "Base+P")
    assert_stuck(position, "wA1 bB1")
    assert_moves(position, "bQ1", r"bQ1/*wP1 bQ1|*wP1 bQ1\*wP1")
    later = replay(position, r"wG1*\wQ1 bS1*/bQ1")  # bB1 is no longer the last tile that moved
    assert_stuck(later, "wA1 bB1")


def test_r07_beetle_drops_into_a_hole() -> None:
    assert_moves(play(HOLE), "wB1", r"wB1*|wA1 wB1|*wQ1 wB1|*wA1 wB1|*bQ1 wB1=*wQ1 wB1=*bQ1")


# --- R8: mosquito -------------------------------------------------------------------------------


#            / \
#           |wA1| *
#  / \ / \ / \ / \
# |wM1|bG1|wQ1[bQ1]
#  \ / \ / \ / \ /
def test_r08_mosquito_copies_a_tile_of_either_colour() -> None:
    position = play(
        r"wM1 bG1*|wM1 wQ1|*wM1 bQ1*\bG1 wA1*/wQ1 bQ1/*bG1 wA1|*bQ1 bG1|*wQ1 wM1|*bG1 bQ1*|wQ1",
        "Base+M",
    )
    assert_moves(position, "wM1", "wM1*|bQ1")  # as bG1 jumps; wA1 is too far away
    walked = replay(position, r"wA1/*bG1 bQ1*\wQ1")
    assert len(moves_of(walked, "wM1")) > 8  # as wA1 walks


#         *
#  / \ /2\ / \ / \
# |wM1[bB1]wQ1|bQ1|      bB1 stands on wA1
#  \ / \ / \ / \ /
def test_r08_mosquito_copies_what_is_visible() -> None:
    position = play(r"wA1 bB1*\wA1 wQ1*/wA1 bQ1*|bB1 wQ1*|wA1 bQ1*|wQ1 wM1|*wA1 bB1=*wA1", "Base+M")
    assert_moves(position, "wM1", r"wM1=*bB1 wM1/*bB1 wM1\*bB1")


#        / \
#       |wQ1|
#  / \ / \ / \
# |wM1|bM1|bQ1|
#  \ / \ / \ / \
#           [bB1]
#            \ /
def test_r08_mosquito_that_touches_mosquitoes_only_does_not_move() -> None:
    position = play(r"wM1 bM1*|wM1 wQ1/*wM1 bQ1*/bM1 wQ1/*bM1 bQ1*|bM1 wQ1/*bQ1 bB1*/bQ1", "Base+M")
    assert_stuck(position, "wM1")


#    / \
#   |wQ1|
#  / \ / \ / \
# |wM1|bM1[bQ1]
#  \ / \ / \ /
#         *
def test_r08_mosquito_does_not_copy_through_a_mosquito() -> None:
    position = play(r"wM1 bM1*|wM1 wQ1/*wM1 bQ1*/bM1 wQ1/*bM1 bQ1*|bM1", "Base+M")
    assert_moves(position, "wM1", r"wM1|*wQ1 wM1\*bM1")  # as wQ1 only


#  / \ /2\ / \ / \
# |wQ1|wM1|bA1|bQ1|      wM1 stands on wS1
#  \ / \ / \ / \ /
#           [bB1]
#            \ /
def test_r08_mosquito_on_top_is_a_beetle_only() -> None:
    position = play(
        r"wS1 bA1*|wS1 wQ1|*wS1 bQ1*|bA1 wM1*/wQ1 bB1*/bA1 wM1*/wS1 bB1=*bA1 wM1=*wS1 bB1*/bA1",
        "Base+M",
    )
    assert_moves(position, "wM1", r"wM1/*wS1 wM1*\wS1 wM1=*bA1 wM1*/wS1 wM1\*wS1 wM1=*wQ1")


#            / \
#           |bB1|
#  / \ / \ /2\ / \
# |wQ1|wP1|wM1|bA1|      wM1 stands on wS1
#  \ / \ / \ / \ /
#           [bQ1] *
#            \ /
def test_r08_mosquito_on_top_does_not_throw() -> None:
    position = play(
        r"wS1 bA1*|wS1 wP1|*wS1 bB1*\bA1 wQ1|*wP1 bQ1*/bA1 wM1/*wS1 bB1*|wM1 wM1=*wS1 bQ1*/wM1",
        "Base+MP",
    )
    assert_stuck(position, "bA1 bB1")
    assert_legal(position, r"wM1=*wP1 wM1=*bA1 wQ1*/wP1")


#  / \ / \ / \
# |wM1|bP1[bQ1]
#  \ / \ / \ /
#   |wQ1| *
#    \ /
def test_r08_mosquito_uses_the_power_of_the_other_sides_pillbug() -> None:
    position = play(r"wM1 bP1*|wM1 wQ1/*wM1 bQ1*/bP1 wQ1*/wM1 bQ1*|bP1", "Base+MP")
    assert_moves(position, "wQ1", r"wQ1\*wM1 wQ1|*wM1 wQ1/*wM1 wQ1*\wM1 wQ1*/bP1")
    assert_moves(position, "wM1", r"wM1|*wQ1 wM1/*bP1")


#    / \ / \
#   [wP1]bM1| *
#  / \ / \ / \
# |bQ1|wM1|wQ1|
#  \ / \ / \ / \
#           |wB1|
#          / \ /
#         |wG1|
#          \ /
def test_r08_mosquito_uses_the_power_of_a_stunned_pillbug() -> None:
    """Black's mosquito has just thrown wP1 by wP1's own power."""
    position = play(
        r"wM1 bM1/*wM1 wQ1*|wM1 bQ1|*bM1 wP1*\wQ1 bQ1\*bM1 wB1*/wQ1 bM1|*wP1 wG1\*wB1 wP1|*bM1",
        "Base+MP",
    )
    assert_stuck(position, "wP1")
    assert_moves(position, "bM1", r"bM1*/wM1 bM1\*wM1")
    assert_moves(position, "bQ1", r"bQ1*/wM1 bQ1\*wM1")


#    / \
#   |bQ1|
#  / \ / \
# [wM1]bP1|
#  \ / \ /
#   |wQ1| *
#    \ /
def test_r08_stunned_mosquito_does_not_throw() -> None:
    position = play(r"wM1 bP1/*wM1 wQ1\*wM1 bQ1/*bP1 wQ1\*bP1 wM1\*bQ1", "Base+MP")
    assert_stuck(position, "wM1 bQ1 bP1")
    assert_moves(position, "wQ1", r"wQ1*/bP1 wQ1\*wM1")
    later = replay(position, r"wG1\*wQ1 bG1*\bQ1")
    assert_moves(later, "bP1", r"bP1/*wM1 bP1|*wM1 bP1\*wM1")


# --- R9: ladybug --------------------------------------------------------------------------------


#    / \
#   |bS1| *
#  / \ / \ / \
# |wL1|wQ1[bQ1]
#  \ / \ / \ /
def test_r09_ladybug_goes_up_along_and_down() -> None:
    position = play(r"wL1 bS1*\wL1 wQ1*/wL1 bQ1*|bS1 wQ1*|wL1 bQ1*|wQ1", "Base+L")
    assert_moves(
        position,
        "wL1",
        r"wL1*|bS1 wL1/*bS1 wL1*\bS1 wL1|*bS1 wL1\*wQ1 wL1*/wQ1 wL1*\bQ1 wL1*|bQ1 wL1*/bQ1",
    )
    assert_illegal(position, "wL1=*wQ1 wL1=*bQ1 wL1=*bS1")  # never ends on top


#    / \ / \
#   |wL1|wQ1|
#  / \ / \ /
# [bQ1]bA1|
#  \ / \ /
#     *
def test_r09_ladybug_does_not_end_where_it_started() -> None:
    position = play(r"wL1 bA1*/wL1 wQ1*\wL1 bQ1\*bA1 wQ1*|wL1 bQ1\*wL1", "Base+L")
    assert len(moves_of(position, "wL1")) == 9
    assert_illegal(position, r"wL1|*wQ1 wL1/*bA1 wL1*\bQ1")  # three names of its own cell


#    / \ / \
#   |wQ1[bA1]
#  / \ / \ / \ / \
# |wA1|   |bS1|wL1|
#  \ / \ / \ / \ /
#   |bQ1|bS2| *
#    \ / \ /
def test_r09_ladybug_drops_into_a_hole() -> None:
    position = play(
        r"wL1 bS1*/wL1 wQ1|*wL1 bS2\*bS1 wA1|*wQ1 bQ1|*bS2 wA1\*wQ1 bA1*|bS2 wL1*|bS1 bA1*|wQ1",
        "Base+L",
    )
    assert_moves(position, "wL1", r"wL1|*bS1 wL1/*bA1 wL1*\bA1 wL1*|bA1 wL1*|bS2 wL1*/bS2 wL1\*bS2")


# --- R10: pillbug -------------------------------------------------------------------------------


#        / \
#       |bA1| *
#  / \ / \ / \
# |wQ1|wP1[bQ1]
#  \ / \ / \ /
PINNED_PILLBUG = r"wP1 bA1*\wP1 wQ1*/wP1 bQ1*|bA1 wQ1|*wP1 bQ1*|wP1"


def test_r10_pinned_pillbug_throws_tiles_of_either_colour() -> None:
    position = play(PINNED_PILLBUG, "Base+P")
    assert_stuck(position, "wP1")
    assert_moves(position, "bA1", r"bA1/*wP1 bA1*/wP1 bA1\*wP1")
    assert_moves(position, "wQ1", r"wQ1/*wP1 wQ1*/wP1 wQ1\*wP1")


def test_r10_only_games_with_a_pillbug_have_throws() -> None:
    position = play(r"wS1 bA1*\wS1 wQ1\*wS1 bQ1*|bA1 wQ1|*wS1 bQ1*|wS1", "Base+ML")
    assert_stuck(position, "bA1")
    assert_moves(position, "wQ1", r"wQ1/*wS1 wQ1\*wS1")


def test_r10_tile_lands_on_an_empty_cell_beside_the_thrower() -> None:
    position = play(PINNED_PILLBUG, "Base+P")
    assert_illegal(position, r"bA1=*wP1 bA1=*wQ1 bA1|*wQ1 bA1*|bQ1 bA1*\wP1")


def test_r10_walk_and_throw_to_the_same_cell_are_one_move() -> None:
    position = play(PINNED_PILLBUG, "Base+P")
    assert_legal(position, r"wQ1/*wP1 wQ1\*wP1")  # one slide, or thrown
    assert len(position.moves) == len(set(position.moves))
    assert len(moves_of(position, "wQ1")) == 3


def test_r10_pillbug_walks_like_a_queen() -> None:
    position = play(r"wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1 wP1/*wQ1 bQ1*\bS1", "Base+P")
    assert_moves(position, "wP1", r"wP1|*wQ1 wP1/*wS1")


#      / \
#     |wA1|
#      \ / \
#       |bA1|
#  / \ / \ / \ / \ / \
# |wQ1|wP1|bS1|bQ1[bS2]
#  \ / \ / \ / \ / \ /
def test_r10_pinned_tile_is_not_thrown() -> None:
    position = play(
        r"wP1 bS1*|wP1 wQ1|*wP1 bQ1*|bS1 wA1|*wQ1 bA1/*bQ1 wA1*|bA1 bA1/*bS1 wA1/*bA1 bS2*|bQ1",
        "Base+P",
    )
    assert_stuck(position, "bA1 bS1")  # wA1 hangs on bA1
    unpinned = replay(position, r"wA1/*wQ1 bG1*|bS2")
    assert_moves(unpinned, "bA1", r"bA1/*wP1 bA1\*wP1 bA1*/wP1")
    assert_stuck(unpinned, "bS1")  # bQ1 hangs on it


#        / \
#       [bA1]
#  / \ / \ / \ / \
# |wQ1|wP1|bS1|bQ1|
#  \ / \ / \ / \ /
#                 *
def test_r10_tile_that_the_opponent_moved_last_is_not_thrown() -> None:
    moved = play(r"wP1 bS1*|wP1 wQ1|*wP1 bQ1*|bS1 wQ1\*wP1 bA1*/bQ1 wQ1|*wP1 bA1/*bS1", "Base+P")
    assert str(moved.stunned) == "bA1"
    assert_stuck(moved, "bA1")
    assert_legal(replay(moved, r"wG1|*wQ1 bG1*|bQ1"), r"bA1/*wP1 bA1\*wP1 bA1*/wP1")


def test_r10_placing_stuns_nothing() -> None:
    """Nor need it: a new tile does not touch the other colour (R1), so no throw can reach it."""
    position = play("wP1 bS1*|wP1 wQ1|*wP1 bQ1*|bS1", "Base+P")
    assert position.stunned is None
    assert str(replay(position, "wQ1/*wP1").stunned) == "wQ1"


#        / \
#       |bS1|
#  / \ / \ / \
# |wQ1|bP1[wA1]
#  \ / \ / \ /
#     * |wP1|
#      / \ /
#     |bQ1|
#      \ /
def test_r10_thrown_tile_neither_moves_nor_is_thrown_on_the_next_turn() -> None:
    thrown = play(
        r"wP1 bP1*|wP1 wA1|*wP1 bQ1*|bP1 wQ1/*wA1 bQ1/*bP1 bP1*|wQ1 bS1/*bQ1 bQ1*/wA1 wA1*|bP1",
        "Base+P",
    )
    assert_stuck(thrown, "wA1")
    assert_moves(thrown, "bQ1", r"bQ1*|wP1 bQ1*/wP1 bQ1|*wP1")  # wP1 itself throws
    later = replay(thrown, r"wQ1/*bP1 bG1*/bQ1")
    assert_legal(later, r"wA1*|wP1 wA1*/wP1 wA1*\bS1")


#     *
#  / \ / \ / \
# |bQ1|bP1[wP1]
#  \ / \ / \ /
#       |wQ1|
#        \ /
def test_r10_thrown_pillbug_does_not_throw_on_the_next_turn() -> None:
    thrown = play(r"wP1 bP1/*wP1 wQ1*|wP1 bQ1|*bP1 wQ1*/bQ1 wP1/*bP1 wQ1*/bP1 wP1*|bP1", "Base+P")
    assert_stuck(thrown, "wP1")
    assert_moves(thrown, "wQ1", r"wQ1*/wP1 wQ1*/bQ1")  # by itself
    later = replay(thrown, r"wG1*/wQ1 bG1|*bQ1")
    assert_moves(later, "wP1", r"wP1*\bP1 wP1*|wQ1")


#  / \ / \ / \
# |wQ1[wA1]bQ1|
#  \ / \ / \ /
# * |wP1|bP1|
#    \ / \ /
def test_r10_thrown_tile_is_not_thrown_back() -> None:
    position = play(r"wP1 bP1*|wP1 wA1|*wP1 bQ1*/bP1 wQ1/*wP1 bQ1*\bP1 wA1*|wQ1", "Base+P")
    assert_stuck(position, "wA1")
    assert_moves(position, "wP1", r"wP1*|bP1 wP1*/bP1 wP1\*bP1")


# --- R11: pass ----------------------------------------------------------------------------------


#           *
#            / \
#           |wA1|
#  / \ / \ / \ / \
# |wQ1|bQ1|bB1|bA1|
#  \ / \ / \ / \ / \
#   |wG1|       [wG2]
#    \ /         \ /
NO_MOVE = (
    r"wG1 bA1*|wG1 wA1\*wG1 bB1*\bA1 wQ1/*wG1 bQ1/*bB1 wA1*|bQ1 bQ1*|wQ1 wG2/*wA1 bA1*|bB1 "
    r"wG2*/bA1"
)


def test_r11_pass_is_forced_when_nothing_else_is_legal() -> None:
    position = play(NO_MOVE)
    assert position.moves == (PASS,)
    assert_illegal(position, r"bA1*\bB1 bB1=*bQ1 bQ1*\wQ1 bS1*/bQ1 bS1*\bA1")
    passed = replay(position, "pass")
    assert (passed.turn, passed.side_to_move) == (position.turn + 1, 0)
    assert passed.stacks == position.stacks


def test_r11_no_pass_while_there_is_another_move() -> None:
    for moves in ("", "wS1", NO_MOVE.rpartition(" ")[0], NO_MOVE + " pass"):
        assert PASS not in play(moves).moves
        assert_illegal(play(moves), "pass")


#            / \
#         * |wS1|
#  / \ / \ / \ /
# |wA1|wP1|bQ1|
#  \ / \ / \ /
#   [bP1]wQ1|
#    \ / \ /
#     |wB1|
#      \ /
def test_r11_pass_clears_the_stun() -> None:
    """White has thrown bP1, and black can only pass: then white may throw it again."""
    position = play(
        r"wP1 bP1*\wP1 wQ1*/wP1 bQ1*|bP1 wS1|*wP1 bQ1/*bP1 wS1\*bQ1 bQ1*\bP1 wB1\*wQ1 wS1*|bP1 "
        r"wA1|*wP1 bQ1*|wP1 bP1*/wA1",
        "Base+P",
    )
    assert str(position.stunned) == "bP1"
    assert position.moves == (PASS,)
    passed = replay(position, "pass")
    assert passed.stunned is None
    assert_moves(passed, "bP1", r"bP1/*wP1 bP1*\wP1")


# --- R12: the end -------------------------------------------------------------------------------


#  / \
# |wA2|
#  \ / \
#   |wA1|
#  / \ / \ / \
# |wQ1|bQ1|bB1|
#  \ / \ / \ /
#   [bG1]bG2| *
#    \ / \ /
FIVE_AROUND_BLACK = (
    r"wA1 bB1*\wA1 wA2|*wA1 bQ1/*bB1 wQ1/*wA2 bQ1*|wQ1 wA1/*bQ1 bG1*/bB1 wA2*\wA1 bG2*/bQ1 "
    r"wA2/*wA1 bG1*/wQ1"
)


def test_r12_surrounded_queen_loses() -> None:
    position = play(FIVE_AROUND_BLACK)
    assert scores(position) is None
    won = replay(position, "wA2*|wA1")
    assert scores(won) == WHITE_WINS
    assert scores(replay(position, r"wA2*\wA1")) is None


def test_r12_no_move_after_the_end() -> None:
    won = play(FIVE_AROUND_BLACK + " wA2*|wA1")
    assert won.moves == ()
    assert won.to_act == ()
    assert_illegal(won, r"pass bA1*|bB1 bB1*/wA2")


#  / \
# [wG2]
#  \ / \     / \
#   |wQ1|   |bA1|
#  / \ / \ / \ /
# |wG1|bQ1|bG1|
#  \ / \ / \ /
#   |wA1|bS1|
#    \ / \ /
def test_r12_own_side_may_close_the_ring() -> None:
    position = play(
        r"wG1 bS1\*wG1 wA1/*wG1 bQ1|*bS1 wQ1|*wA1 bQ1*/wQ1 wG1\*wQ1 bA1\*bS1 wA1|*bA1 bG1*|bQ1 "
        r"wA1*/wG1 bA1*\bG1 wG2/*wQ1"
    )
    assert scores(replay(position, "bA1*|wQ1")) == WHITE_WINS


#    / \
#   |wA2|
#    \ / \
#     |wA1|
#    / \ /2\ / \
#   |wQ1|wB1|bB1|      wB1 stands on bQ1
#  / \ / \ / \ /
# |wS1[bA1]bB2|
#  \ / \ / \ /
#         *
def test_r12_covered_queen_is_surrounded_too() -> None:
    position = play(
        r"wA1 bB1*\wA1 wB1|*wA1 bQ1/*bB1 wQ1/*wB1 bQ1*|wQ1 wA1/*bQ1 bB2*/bB1 wB1=*bQ1 bB2*/wB1 "
        r"wA2/*wA1 bA1\*bB2 wS1\*wQ1 bA1*|wS1"
    )
    assert scores(replay(position, "wA2*|wA1")) == WHITE_WINS


#         *
#      / \
#     |wA1|
#    / \ / \     / \
#   |wA2|wA3|   |bA1|
#  / \ / \ / \ / \ / \
# [bA2]wB1|wQ1|bQ1|bG2|
#  \ / \ / \ / \ / \ /
#       |wS1|bG1|bG3|
#        \ / \ / \ /
def test_r12_both_queens_at_once_is_a_draw() -> None:
    position = play(
        r"wS1 bG1*|wS1 wB1/*wS1 bQ1*\bG1 wQ1*\wB1 bA1*\bQ1 wA1/*wQ1 bG2*|bQ1 wA2\*wS1 bG3*|bG1 "
        r"wA2\*wA1 bA2*|bG2 wQ1*|wB1 bA2*\wA1 wA3*|wA2 bA2\*wA2"
    )
    drawn = replay(position, "wA1|*bA1")
    assert scores(drawn) == DRAW
    assert drawn.moves == ()


# --- R13: no edge -------------------------------------------------------------------------------

ALL_TILES = [
    Tile(side, kind, number)
    for side, kinds in ((0, Kind), (1, reversed(Kind)))  # no pillbug near an end: it would throw
    for kind in kinds
    for number in range(1, kind.per_side + 1)
]
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
    return HivePosition(HiveOptions("Base+MLP"), state, cells, (0,))


def line(axis: Direction, length: int) -> list[Cell]:
    """A line of cells, with the origin in its middle."""
    q, r = STEPS[axis]
    return [(q * i, r * i) for i in range(-(length // 2), length - length // 2)]


def line_up(first: str, last: str) -> list[Tile]:
    """All 28 tiles in a row; the two named ones stand at the ends."""
    ends = parse_tile(first), parse_tile(last)
    return [ends[0], *(tile for tile in ALL_TILES if tile not in ends), ends[1]]


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
    """22 tiles in a line and a ring of 6 that begins with the line's last tile but one cell."""
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
    for text in "wA1 bA1*|wA1 wQ1|*wA1 bQ1*|bA1 wA2|*wQ1 bA2*|bQ1".split():
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
    """How good a move is for the journey: everybody walks, and the tile comes far ahead."""
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
    assert format_game([before, after]).endswith(r";wQ \bA1")


# --- R14: repetition ----------------------------------------------------------------------------


def game(moves: str, variant: str = "Base", repetition: bool = True) -> list[HivePosition]:
    """All positions of a game, from the first to the last."""
    positions = [HivePosition.start(HiveOptions(variant, repetition=repetition))]
    for text in moves.split():
        positions.append(replay(positions[-1], text))
    return positions


# |wQ1|wS1|bS1|bQ1| and both queens take a step up and back again
QUEENS = "wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1 "
DANCE = r"wQ1/*wS1 bQ1*\bS1 wQ1|*wS1 bQ1*|bS1 "


def test_r14_third_occurrence_is_a_draw() -> None:
    assert play(QUEENS + DANCE).outcome is None
    drawn = play(QUEENS + 2 * DANCE)
    assert scores(drawn) == DRAW
    assert drawn.moves == ()
    assert_illegal(drawn, "wQ1/*wS1 pass")


def test_r14_only_by_option() -> None:
    assert game(QUEENS + 5 * DANCE, repetition=False)[-1].outcome is None


def test_r14_nothing_is_stunned_after_a_placement() -> None:
    """With a pillbug in the game the position after black's last placement does not come back."""
    moves = (QUEENS + 2 * DANCE).replace("wS1", "wP1")
    assert play(moves, "Base+P").outcome is None
    assert scores(play(moves + "wQ1/*wP1", "Base+P")) == DRAW


def test_r14_other_side_to_move_is_another_position() -> None:
    """The ant comes back in three moves while the queen comes back in two."""
    positions = game(
        r"wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1 wA1|*wQ1 bQ1*\bS1 "
        r"wA1/*wQ1 bQ1*|bS1 wA1\*wQ1 bQ1*\bS1 wA1|*wQ1"
    )
    before, after = positions[6], positions[-1]
    assert before.stacks == after.stacks
    assert before.keys[-1] != after.keys[-1]


# |wA1|wQ1|wS1|bS1|bQ1| with bA1 above bS1 and bQ1; black comes back with its queen or its ant
EITHER = "wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1 wA1|*wQ1 bA1/*bQ1 "
QUEEN_RETURNS = "wA1/*wQ1 bQ1*/bS1 wA1|*wQ1 bQ1*|bS1 "
ANT_RETURNS = r"wA1/*wQ1 bA1*\bQ1 wA1|*wQ1 bA1/*bQ1 "


def test_r14_other_stunned_tile_is_another_position() -> None:
    positions = game(EITHER + 2 * QUEEN_RETURNS + ANT_RETURNS, "Base+P", repetition=False)
    placed, queen, queen_again, ant = (positions[i] for i in (6, 10, 14, 18))
    assert placed.stacks == queen.stacks == queen_again.stacks == ant.stacks
    assert queen.keys[-1] == queen_again.keys[-1]
    assert len({placed.keys[-1], queen.keys[-1], ant.keys[-1]}) == 3


def test_r14_stun_counts_only_in_games_with_a_pillbug() -> None:
    moves = EITHER + QUEEN_RETURNS + ANT_RETURNS
    assert scores(play(moves, "Base+ML")) == DRAW
    assert play(moves, "Base+P").outcome is None


# |wA1|wQ1|wS1|bS1|bQ1| with wA2 at wQ1's upper left; then the two ants change places
ANTS = r"wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1 wA1\*wQ1 bQ1*\bS1 wA2/*wQ1 bQ1*|bS1 wA1|*wQ1 "
CHANGE = r"bQ1*\bS1 wA2\*wQ1 bQ1*|bS1 wA1/*wS1 bQ1*\bS1 "
LEFT_LAST = "wA1/*wQ1 bQ1*|bS1 wA2|*wQ1"
UPPER_LAST = "wA2|*wQ1 bQ1*|bS1 wA1/*wQ1"


def test_r14_tiles_of_one_kind_and_side_are_interchangeable() -> None:
    for last in (LEFT_LAST, UPPER_LAST):
        positions = game(ANTS + CHANGE + last)
        assert positions[9].stacks != positions[-1].stacks
        assert positions[9].keys[-1] == positions[-1].keys[-1]


def test_r14_stunned_tile_is_known_by_where_it_stands() -> None:
    """With wP1 on the board: first the left ant was moved last, then the left or the upper one."""
    left = game((ANTS + CHANGE + LEFT_LAST).replace("wS1", "wP1"), "Base+P")
    assert left[9].keys[-1] == left[-1].keys[-1]
    upper = game((ANTS + CHANGE + UPPER_LAST).replace("wS1", "wP1"), "Base+P")
    assert upper[9].keys[-1] != upper[-1].keys[-1]


def test_r14_looks_back_to_the_last_placement() -> None:
    assert len(play(QUEENS + DANCE).keys) == 5
    assert len(play(QUEENS + DANCE + "wA1|*wQ1").keys) == 1
