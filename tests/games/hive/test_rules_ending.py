r"""Pass, end and repetition: rules R11, R12 and R14.

Each situation is a short game in Agon's notation, drawn above its test as `agon show` does: a
number on an upper edge is the height of a stack, brackets mark the tile that moved last, and `*`
where it came from.

      / \ /2\
     |wQ1[bB1]
      \ / \ /
"""

from __future__ import annotations

from agon.games.hive.game import HiveOptions
from agon.games.hive.move import PASS
from agon.games.hive.position import HivePosition
from tests.games.hive.situation import (
    DRAW,
    WHITE_WINS,
    assert_illegal,
    assert_moves,
    play,
    replay,
    scores,
)

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
    last = game(QUEENS + 5 * DANCE, repetition=False)[-1]
    assert last.outcome is None
    assert scores(last.with_options(HiveOptions())) == DRAW


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
