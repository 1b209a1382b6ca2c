"""Atlantis in the terminal: every field is there once, and what is too wide is made to fit."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from agon.games.atlantis.board import DEAD, GROWING
from agon.games.atlantis.geometry import Board, neighbour
from agon.games.atlantis.terminal import board_text, find_spots, format_board
from tests.games.atlantis.drawn import after, on_board, usual

if TYPE_CHECKING:
    from agon.games.atlantis.position import AtlantisPosition

WIDTHS = (20, 80, 200)
POSITIONS = [
    usual("triangle", 2, 2),
    after(usual("triangle", 6, 3), 60),
    after(usual("hexagon", 5, 6), 90),
    after(usual("rhombus", 2, 4), 400),
    usual("rhombus", 24, 4),
]
SEGMENT = Board(
    (((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)),),
    ({(2, 2): 2, (3, 2): -1, (1, 1): 0}, {}),
)


def board_lines(position: AtlantisPosition, width: int = 80) -> list[str]:
    """The lines of the board, without the notes below it."""
    text = format_board(position, width)
    return text[: text.rindex("\n\n")].split("\n")


def notes(position: AtlantisPosition, width: int = 80) -> list[str]:
    return format_board(position, width).rpartition("\n\n")[2].splitlines()


def signs(position: AtlantisPosition, long: bool) -> Counter[str]:
    """What should stand on the board."""
    found: Counter[str] = Counter()
    for f in position.fields:
        sign = "~" if f.kind == DEAD else "."
        if f.owner is not None and f.kind != DEAD:
            letter = "rbgyop"[f.owner]
            sign = letter.upper() if f.kind == GROWING else letter
            sign += str(f.stones) if long else ""
        found[sign] += 1
    return found


def test_a_segment_as_in_the_module() -> None:
    assert board_lines(on_board(SEGMENT)) == [
        r"      ___",
        r"  ___/ . \___",
        r" / .      R1 \ ".rstrip(),
        r"3\    r2     /c",
        r" / .  ___  . \ ".rstrip(),
        r"2\___/ ~ \___/b",
        r"    1     a",
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: f"{len(p.fields)} fields")
def test_every_field_is_on_the_board_once(position: AtlantisPosition, width: int) -> None:
    text = "\n".join(board_lines(position, width)).replace("further east:", "")
    found = Counter(re.findall(r"[rbgyopRBGYOP]\d+|[~.]", text))
    if found != signs(position, long=True):
        assert Counter(re.findall(r"\S", text)) == signs(position, long=False)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: f"{len(p.fields)} fields")
def test_nothing_is_wider_than_the_terminal(position: AtlantisPosition, width: int) -> None:
    assert max(map(len, format_board(position, width).split("\n"))) <= width


def test_usual_boards_have_lines_at_eighty_columns() -> None:
    assert any("___" in line for line in board_lines(usual("triangle", 6, 2)))
    assert any("___" in line for line in board_lines(usual("hexagon", 3, 6)))


def test_what_is_too_wide_loses_its_lines_first_then_its_numbers() -> None:
    position = usual("triangle", 6, 2)
    assert "r1" in "".join(board_lines(position, 45))
    assert "___" not in "".join(board_lines(position, 45))
    assert set("".join(board_lines(position, 20))) == set(" .rb")


def test_a_board_that_is_too_wide_for_letters_comes_in_strips() -> None:
    assert "further east:" in board_lines(usual("hexagon", 5, 6), 20)


def test_neighbours_stand_next_to_each_other() -> None:
    position = usual("hexagon", 3, 2)
    spots = find_spots(position.fields)
    across_and_down = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    for f in position.fields:
        for direction, (across, down) in enumerate(across_and_down):
            other = position.numbers.get(neighbour((f.x, f.y), direction))
            if other is not None:
                column, line = spots[f.number]
                assert spots[other] == (column + across, line + down)


def test_marks_stand_around_where_moves_ended() -> None:
    start = usual("triangle", 2, 2)
    position = start.play_turn(start.parse_turn(0, "c3-d3"))
    assert re.findall(r"\[(...)\]", "\n".join(board_lines(position))) == ["r1 "]
    assert "Red played: c3-d3" in notes(position)
    assert "Blue played: pass" in notes(position.play_turn(()))


def test_marks_stand_around_what_changed_in_a_stage() -> None:
    start = on_board(Board((((1, 1), (2, 1), (3, 1), (4, 1)),), ({(1, 1): 1}, {(4, 1): 1})))
    stages = dict(start.stages({0: ()}))
    assert "[R0 ]" in "\n".join(board_lines(stages["wave 1"]))
    assert "[R1 ]" in "\n".join(board_lines(stages["growth"]))


def test_the_players() -> None:
    position = usual("triangle", 6, 3).drop({1: "crash"})
    assert notes(position)[:3] == [
        "> r  Red       0 fields, 7 stones, 0 growing",
        "  b  Blue      0 fields, 7 stones, 0 growing, out: crash",
        "  g  Green     0 fields, 7 stones, 0 growing",
    ]
    assert notes(position, 16)[:3] == ["> r  0 fields", "  b  0 fields", "  g  0 fields"]
    assert notes(position)[-1] == "Turn 0: Red to move"


def test_stacks_without_room_are_told_below() -> None:
    position = on_board(Board((((1, 1), (2, 1), (3, 1)),), ({(1, 1): 100}, {(2, 1): 99_999})))
    assert "r++" in "\n".join(board_lines(position))
    assert "++: a1 100, b1 99999" in notes(position)


def test_islands_far_from_each_other_come_close() -> None:
    far = on_board(Board((((1, 1), (10**30, 10**90)),), ({(1, 1): 1}, {})))
    assert len(board_lines(far)) < 20
    assert "…" in "\n".join(board_lines(far)), "labels without room"


def test_colour_changes_no_character() -> None:
    for position in POSITIONS:
        for width in WIDTHS:
            assert board_text(position, width).plain == format_board(position, width)
    styles = {str(span.style) for span in board_text(POSITIONS[1]).spans}
    assert "bold #ffffff on #b3211c" in styles, "red stones"
