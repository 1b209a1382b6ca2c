r"""Placing and sliding: rules R1 to R4; other rules stand in `test_rules_....py`.

Each situation is a short game in Agon's notation, drawn above its test as `agon show` does: a
number on an upper edge is the height of a stack, brackets mark the tile that moved last, and `*`
where it came from.

      / \ /2\
     |wQ1[bB1]
      \ / \ /
"""

from __future__ import annotations

from agon.games.hive.notation import format_move, parse_tile
from agon.games.hive.tile import ORIGIN, Kind
from tests.games.hive.situation import (
    assert_illegal,
    assert_legal,
    assert_moves,
    assert_stuck,
    moves_of,
    pinned_tiles,
    play,
    replay,
)

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


#         *
#  / \ /2\ / \
# |wQ1|wB1|bQ1|      wB1 stands on wS1
#  \ / \ / \ / \
#           [bG1]
#            \ /
BEETLE_ON_OWN_SPIDER = r"wS1 bG1*\wS1 wB1*/wS1 bQ1*|bG1 wQ1|*wS1 bQ1*|wS1 wB1=*wS1 bG1*/bQ1"


def test_r01_room_beside_an_own_stack_is_listed_once() -> None:
    position = play(BEETLE_ON_OWN_SPIDER)
    assert_moves(position, "wA1", r"wA1|*wQ1 wA1/*wQ1 wA1\*wQ1 wA1*\wQ1 wA1*/wQ1")


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


def test_r03_tile_on_top_is_never_pinned() -> None:
    position = play(BEETLE_ON_OWN_SPIDER)
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
