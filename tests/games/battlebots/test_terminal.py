"""Battlebots in the terminal: every fort is there once, and nothing is too wide."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.maps import make_map
from agon.games.battlebots.terminal import board_text, format_board, fort_sign
from tests.games.battlebots.situation import begin, play

if TYPE_CHECKING:
    from agon.games.battlebots.position import BattlebotsPosition

WIDTHS = (20, 80, 200)


def after(turns: int, options: BattlebotsOptions) -> BattlebotsPosition:
    rng = Random(turns)  # noqa: S311
    position = GAME.start(options, 3)
    for _ in range(turns):
        position = position.play({s: position.random_turn(s, rng) for s in position.to_act})
    return position


@pytest.fixture(scope="module")
def positions() -> list[BattlebotsPosition]:
    large = BattlebotsOptions(field=format_map(make_map("random", 4, 1, 120)))
    return [
        after(0, BattlebotsOptions()),
        after(20, BattlebotsOptions(map="random", seats=4)),
        after(30, BattlebotsOptions(seats=8)),
        after(5, large),
        begin("a 0 0 ann 1, b 0 900 bob 1, c 1 0 neutral 0", "a b"),
        begin("a 0 0 ann 1, b 900 0 bob 99999999, c 0 1 neutral 0", "a c"),
    ]


def chart(position: BattlebotsPosition, width: int = 80) -> str:
    """The map alone."""
    return format_board(position, width).partition("\n\n>")[0]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_fort_is_on_the_map_once(positions: list[BattlebotsPosition], width: int) -> None:
    for position in positions:
        signs = re.findall(r"[rbgyopcw.]\d+", chart(position, width))
        forts = range(len(position.field.forts))
        assert sorted(signs) == sorted(fort_sign(position, number) for number in forts)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_terminal(
    positions: list[BattlebotsPosition], width: int
) -> None:
    for position in positions:
        lines = format_board(position, width).split("\n")
        table = lines.index("forts:")
        assert max(map(len, lines[:table])) <= width
        assert max(map(len, lines)) <= max(width, 28), "an entry of a table is not broken"


def test_a_small_map() -> None:
    forts = "a 0 0 ann 10, b 10 0 neutral 2, c 10 10 bob 7"
    position = play(begin(forts, "a b, b c"), ann="a b 3", bob="c b 2")
    lines = format_board(position, 40).split("\n")
    assert next(line for line in lines if "r1" in line).startswith("r1 ")
    assert lines[0].endswith("b3")
    assert "R>" in chart(position, 40)
    assert "Bv" in chart(position, 40)
    assert "r1 a 8   .2 b 2   b3 c 6" in lines
    assert "R 3 a>b (9)   B 2 c>b (9)" in lines
    assert "> r  ann 11" in lines
    assert lines[-2] == "Turn 1, 500 at the most"


def test_players_are_told_in_words_where_there_is_room() -> None:
    position = begin("a 0 0 ann 10, b 10 0 bob 2, c 0 5 cid 3", "a b").drop({1: "crash"})
    lines = format_board(position).split("\n")
    assert "> r  ann            10 soldiers, 1 fort" in lines
    assert "  b  bob             2 soldiers, 1 fort; failed: crash" in lines


def test_only_the_largest_marches_are_listed(positions: list[BattlebotsPosition]) -> None:
    text = format_board(positions[2])
    armies = positions[2].armies
    assert len(armies) > 40
    assert f"and {len(armies) - 40} smaller" in text
    listed = re.findall(r"^[A-Z] (\d+) ", text, re.MULTILINE)
    assert int(listed[0]) == max(army.soldiers for army in armies)


def test_stages_of_a_turn_can_be_drawn() -> None:
    position = begin("a 0 0 ann 10, b 20 0 bob 2", "a b")
    for _, stage in position.stages({0: position.parse_turn(0, "a b 4"), 1: ()}):
        assert "R 4 a>b" in format_board(stage)


def test_colour_changes_no_character(positions: list[BattlebotsPosition]) -> None:
    for position in positions:
        for width in WIDTHS:
            assert board_text(position, width).plain == format_board(position, width)
    styles = {str(span.style) for span in board_text(positions[1]).spans}
    assert "bold #ffffff on #b3211c" in styles, "red forts"
