"""Boards inside pages: no styles, no ids, and colours for light and dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from agon.games.registry import find_game, game_names
from agon.games.scene import Scene
from agon.games.shapes import Disc, Label, Look
from agon.website.render.boards import draw_board, draw_glyphs, look_css

COLOUR = re.compile(r"#[0-9a-f]{3,8}|currentColor|[a-z]+|rgba?\([^)]*\)")


def test_ids_become_data_and_words_stay_what_they_are() -> None:
    label = Label("name", "word", text=' id="x" <path id="y">', size=5)
    stone = Disc("stone", "dot", 3, 4, radius=2, tip='"quoted"')
    board = draw_board(Scene("a <b> title", 10, 20, Look("test"), (label, stone)))
    assert " id=" not in re.sub(r">[^<]*<", "><", board)
    root = ElementTree.fromstring(board)  # noqa: S314  our own text
    text, circle = list(root)[1:]
    assert text.text == ' id="x" <path id="y">'
    assert (circle.get("data-id"), circle.get("transform")) == ("stone", "translate(3 4)")
    assert root.get("viewBox") == "0 0 10 20"
    assert root.get("width") is None


@pytest.mark.parametrize("game", game_names())
def test_a_board_has_no_styles_and_no_glyphs_of_its_own(game: str) -> None:
    board = draw_board(find_game(game).start().scene(None))
    assert "<style" not in board
    assert "<defs" not in board
    assert " style=" not in board
    used = set(re.findall(r'href="#([^"]+)"', board))
    assert used <= set(re.findall(r'id="([^"]+)"', draw_glyphs(game)))


@pytest.mark.parametrize("game", game_names())
def test_a_style_sheet_has_both_themes_in_one_rule(game: str) -> None:
    css = look_css(game)
    pairs = re.findall(r"light-dark\(([^,]+),([^)]+)\)", css)
    assert pairs
    for pair in pairs:
        for colour in pair:
            assert COLOUR.fullmatch(colour), colour
            assert colour != "none", "no colour: a browser would drop the whole declaration"
    assert css.count("{") == css.count("}")
    assert "@media" not in css


@pytest.mark.parametrize("game", game_names())
def test_all_scenes_of_a_game_share_its_look(game: str) -> None:
    position = find_game(game).start(seed=7)
    assert position.scene(0).look == position.scene(None).look == find_game(game).look


def test_glyph_ids_tell_games_apart() -> None:
    ids = [
        found for game in game_names() for found in re.findall(r'id="([^"]+)"', draw_glyphs(game))
    ]
    assert len(set(ids)) == len(ids)
