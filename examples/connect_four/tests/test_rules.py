"""The rules of Connect Four by their numbers, in matches as text."""

import pytest
from connect_four.game import GAME

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.game import Outcome

BOARD = "rows=6 cols=7 seats=2 seed=0"
SMALL_BOARD = "rows=4 cols=4 seats=2 seed=0"


def outcome(moves: str, board: str = BOARD) -> Outcome | None:
    return GAME.parse_position(f"{board};{';'.join(moves)}").outcome


def test_r1_the_board_has_7_columns_and_6_rows_unless_options_say_otherwise() -> None:
    assert {(len(row), *row) for row in GAME.cells(GAME.start())} == {(7, *[None] * 7)}
    assert len(GAME.cells(GAME.start(GAME.options(rows=8)))) == 8
    with pytest.raises(SettingError, match="cols 9: expected 4 to 8"):
        GAME.options(cols=9)


def test_r2_a_piece_falls_to_the_lowest_free_cell_of_a_column_that_is_not_full() -> None:
    position = GAME.parse_position(f"{BOARD};d;d;d;d;d;d;c")
    *_, lowest = GAME.cells(position)
    assert (lowest, position.to_act) == ([None, None, 0, 0, None, None, None], (1,))
    with pytest.raises(IllegalMoveError, match="the legal moves are a, b, c, e, f, g"):
        position.parse_turn(1, "d")
    with pytest.raises(NotationError):
        position.parse_turn(1, "d1")


@pytest.mark.parametrize("moves", ["aabbccd", "abababa", "abbccdcddgd", "dccbbabaaga"])
def test_r3_four_in_a_row_win(moves: str) -> None:
    assert outcome(moves[:-1]) is None
    assert outcome(moves) == Outcome((2, 0), "four in a row")


def test_r4_a_full_board_is_a_draw() -> None:
    moves = "abbbbaaadccccddd"
    assert outcome(moves[:-1], SMALL_BOARD) is None
    assert outcome(moves, SMALL_BOARD) == Outcome((1, 1), "the board is full")
