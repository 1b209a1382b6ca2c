r"""Climbing between stacks: rule R5.

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
    play,
    replay,
)

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
    assert_moves(gated, "wL1", r"wL1*|bB1 wL1*|bB2 wL1/*wQ1 wL1*/wQ1 wL1\*wQ1 wL1|*wQ1 wL1*/bB2")
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
