"""Skyport in terminals: the map in three forms, the robots, the last turn."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.mapfile import format_map
from agon.games.skyport.maps import generate
from agon.games.skyport.terminal import KEY, board_text, find_signs, format_board
from tests.games.skyport.situation import begin, change, play

if TYPE_CHECKING:
    from agon.games.skyport.position import SkyportPosition

FIELD = "SGR/GOE/VCS"


def after(turns: int, seats: int) -> SkyportPosition:
    rng = Random(turns)  # noqa: S311
    position = GAME.start(SkyportOptions(), 3, seats)
    for _ in range(turns):
        position = position.play({s: position.random_turn(s, rng) for s in position.to_act})
    return position


def test_a_map_with_its_hexes() -> None:
    position = play(begin(FIELD), "move right-down; move right-down; mine")
    drawn = format_board(position).splitlines()
    assert drawn[:9] == [
        r"         __",
        r"      __/s0\__",
        r"   __/  \__/  \__",
        r"  /V \__/O \__/r0\ ".rstrip(),
        r"  \__/C \__/E \__/",
        r"     \__/S1\__/",
        r"        \__/",
        KEY,
        "",
    ]
    assert drawn[9:] == [
        "  0  Red        0 points  100 health  laser 1   mortar 1  1 rubidium",
        "> 1  Blue       0 points  100 health  laser 1   mortar 1",
        "",
        "Red, move right-down",
        "Red, move right-down",
        "Red, mine",
        "Turn 2 of 200: Blue to move",
    ]


def test_bodies_and_refusals() -> None:
    position = change(begin(FIELD), {0: (1, 0), 1: (0, 1)}, {1: 1})
    position = play(position, "move up; mortar -1,1")
    lines = format_board(position).splitlines()
    assert find_signs(position)[0, 1] == "x1"
    assert "  1  Blue     -40 points        dead  laser 1   mortar 1" in lines
    assert "Red, refused: move up: off the map" in lines
    assert "Red, mortar -1,1: Blue loses 1 and dies" in lines


def test_penalties_are_told() -> None:
    told = format_board(play(begin(FIELD), "nothing")).splitlines()
    assert "Red, lost: 10 points for doing nothing and 10 for staying on the spawn" in told


def test_a_shot_in_flight_does_not_tell_what_it_hits() -> None:
    position = change(begin(FIELD), {0: (1, 0), 1: (0, 1)})
    (_, flying), (_, hit), *_ = position.stages({0: position.parse_turn(0, "mortar -1,1")})
    assert "Red, mortar -1,1" in format_board(flying).splitlines()
    assert "Blue loses 28" in format_board(hit)


def test_a_map_too_wide_for_hexes_keeps_its_shape() -> None:
    position = play(begin(FIELD), "move right-down; move right-down; mine")
    drawn = format_board(position, 19).splitlines()
    assert drawn[:5] == ["  s", " . .", "V O 0", " C E", "  1"]


def test_a_map_too_wide_for_that_is_a_square() -> None:
    position = GAME.start(SkyportOptions(map_text=format_map(generate(2, 64, 1))))
    drawn = format_board(position, 80).splitlines()
    assert drawn[0] == "a line for each j, a column for each k, both from 0"
    for j, line in enumerate(drawn[1:65]):
        shown = line.replace("0", "S").replace("1", "S").replace(".", "G")
        assert shown == position.rows[j]


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_lines_keep_to_the_width(seats: int, width: int) -> None:
    position = after(60, seats)
    assert max(map(len, format_board(position, width).splitlines())) <= width


@pytest.mark.parametrize("width", [20, 80, 200])
def test_every_robot_is_on_the_map_once(width: int) -> None:
    position = after(90, 4)
    board = format_board(position, width).partition("R E C")[0].partition("from 0\n")
    drawn = board[2] or board[0]
    living = [robot.seat for robot in position.robots if robot.health]
    for seat in living:
        spare = 6 * position.map.side + 2 <= width and position.map.spawns[seat] not in [
            robot.place for robot in position.robots
        ]
        assert drawn.count(str(seat)) == 1 + spare, "the empty spawn has its number too"


def test_coloured_and_plain_are_the_same_text() -> None:
    for width in (20, 80):
        position = after(50, 3)
        text = board_text(position, width)
        assert text.plain == format_board(position, width)
        assert GAME.terminal_board(position, width).plain == text.plain
        styles = {str(span.style) for span in text.spans}
        assert any(style.startswith("bold #ffffff on #b3211c") for style in styles)
