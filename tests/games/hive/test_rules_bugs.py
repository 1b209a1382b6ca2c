r"""How ant, spider, grasshopper, beetle and ladybug move: rules R6, R7 and R9.

Each situation is a short game in Agon's notation, drawn above its test as `agon show` does: a
number on an upper edge is the height of a stack, brackets mark the tile that moved last, and `*`
where it came from.

      / \ /2\
     |wQ1[bB1]
      \ / \ /
"""

from __future__ import annotations

from agon.games.hive.notation import parse_tile
from agon.games.hive.tile import ORIGIN
from tests.games.hive.situation import (
    assert_illegal,
    assert_legal,
    assert_moves,
    assert_stuck,
    moves_of,
    play,
    replay,
)

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
    freed = replay(covered, r"wG1*|bQ1 bB1*\wP1")
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
