"""Boards in terminals: letters, marks, and every width."""

from __future__ import annotations

import pytest

from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.terminal import board_text, format_board
from tests.games.mebipenny.situation import play, situation

WIDTHS = (1, 20, 33, 80, 200)


def test_a_board_with_letters() -> None:
    position = play(
        situation(
            """
            1 1 # . 2 .
            . x . 0 . #
            0 0 0 . . .
            """,
            "|2,3|2,5",
        ),
        "1,1",
    )
    drawn = format_board(position, 80, 1).splitlines()
    assert drawn[:4] == [
        "  0 1 2 3 4 5",
        "0 R R # . g .",
        "1 .[r]. r . #",
        "2 r r r . . .",
    ]
    assert drawn[5].startswith("  r  Red")
    assert drawn[5].endswith("7 claims, 1 tiles in hand") or "tile" in drawn[5]
    assert drawn[6] == "> b  Blue     0 claims, hand 2,3"
    assert drawn[8] == "Red played 1,1 and took 2"
    assert drawn[-1] == "Turn 1: Blue to move"


def test_narrow_terminals_get_no_spaces() -> None:
    drawn = format_board(GAME.start(None, 1), 20).splitlines()
    assert drawn[:3] == ["             1", "   012345678901234", " 0 " + "." * 15]


def test_strips_hold_all_columns() -> None:
    options = MebiPennyOptions(2, 50, 2, "1")
    drawn = format_board(GAME.start(options, 1), 20)
    assert drawn.count("#") == 101  # and one in the key
    assert "from column 18 on:" in drawn


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "options",
    [MebiPennyOptions(), MebiPennyOptions(3, 256, 4, "0.3"), MebiPennyOptions(256, 1, 3)],
    ids=["usual", "wide", "high"],
)
def test_lines_keep_to_the_width(options: MebiPennyOptions, width: int) -> None:
    position = GAME.start(options, 5)
    for _ in range(12):
        position = position.play_move(position.moves[0])
    for shown in (position, position.drop({0: "a reason that goes on and on " * 5})):
        for line in format_board(shown, width).splitlines():
            assert len(line) <= max(width, 20)
            assert line == line.rstrip() or "[" in line


def test_colours_change_no_character() -> None:
    position = GAME.start(MebiPennyOptions(8, 8, 4, "0.2"), 3)
    for _ in range(20):
        position = position.play_move(position.moves[0])
    assert board_text(position, 60).plain == format_board(position, 60)
    assert GAME.terminal_board(position, 60).plain == format_board(position, 60)
