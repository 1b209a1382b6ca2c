r"""Mosquito and pillbug: rules R8 and R10.

Each situation is a short game in Agon's notation, drawn above its test as `agon show` does: a
number on an upper edge is the height of a stack, brackets mark the tile that moved last, and `*`
where it came from.

      / \ /2\
     |wQ1[bB1]
      \ / \ /
"""

from __future__ import annotations

from tests.games.hive.situation import (
    assert_illegal,
    assert_legal,
    assert_moves,
    assert_stuck,
    moves_of,
    play,
    replay,
)

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
