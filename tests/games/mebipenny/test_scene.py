"""Pictures: every claim is there, the last turn is marked, and no hand that is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.games.bot import Budget
from agon.games.mebipenny.bots import GreedyBot
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.look import LOOK, PLAYER_THEMES
from agon.games.mebipenny.move import Tile
from agon.games.mebipenny.scene import mebipenny_scene
from agon.games.shapes import Label, Shape, Theme, all_shapes
from agon.games.svg import format_svg
from tests.games.mebipenny.situation import play, situation

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition
    from agon.games.scene import Scene

BOARD = """
    1 1 # . 2 .
    . x . 0 . #
    0 0 0 . . .
"""


def shapes_of(scene: Scene) -> dict[str, Shape]:
    return {shape.id: shape for shape in all_shapes(scene.shapes) if shape.id}


def texts_of(scene: Scene) -> list[str]:
    return [shape.text for shape in all_shapes(scene.shapes) if isinstance(shape, Label)]


def after_capture() -> MebiPennyPosition:
    return play(situation(BOARD, "|2,3|2,5"), "1,1")


def test_claims_and_walls_have_ids() -> None:
    shapes = shapes_of(situation(BOARD).scene(None))
    assert {f"claim-{cell}" for cell in ("0,0", "0,1", "0,4", "1,3", "2,0", "2,1", "2,2")} == {
        id_ for id_ in shapes if id_.startswith("claim-")
    }
    assert {id_ for id_ in shapes if id_.startswith("wall-")} == {"wall-0,2", "wall-1,5"}
    assert shapes["claim-0,4"].tip == "0,4: Green"


def test_the_last_tile_and_what_it_took_are_marked() -> None:
    position = after_capture()
    assert position.last_tile == Tile(1, 1)
    assert position.captured == (Tile(0, 0), Tile(0, 1))
    scene = position.scene(None)
    marked = {id_ for id_ in shapes_of(scene) if id_.startswith("captured-")}
    assert marked == {"captured-0,0", "captured-0,1"}
    assert "last" in shapes_of(scene)
    assert "Red played 1,1 and took 2" in texts_of(scene)


def test_who_loses_by_its_own_tile_is_told_so() -> None:
    position = play(situation("1 1 1 x 0", "|", seats=2), "0,3")
    assert position.captured == (Tile(0, 4),)
    assert "Red played 0,3, Blue took 1" in texts_of(position.scene(None))


def test_a_pass_marks_nothing() -> None:
    position = play(after_capture(), "PASS")
    assert position.captured == ()
    assert position.last_tile is None
    scene = position.scene(None)
    assert "last" not in shapes_of(scene)
    assert "Blue passed" in texts_of(scene)


def test_hands_are_shown_to_those_who_may_see_them() -> None:
    position = GAME.start(MebiPennyOptions(6, 7, 3), 2)
    tiles = [{f"tile-{row},{col}" for row, col in hand} for hand in position.hands]
    for seat in range(3):
        scene = position.scene(seat)
        assert {id_ for id_ in shapes_of(scene) if id_.startswith("tile-")} == tiles[seat]
        other = position.redeal(seat, 77)
        assert other.hands != position.hands
        assert other.scene(seat) == scene
    everything = position.scene(None)
    shown = {id_ for id_ in shapes_of(everything) if id_.startswith("tile-")}
    assert shown == tiles[0] | tiles[1] | tiles[2]
    row, col = position.hands[2][0]
    assert f"{row},{col}" in texts_of(everything)


def test_names_and_verdicts() -> None:
    names = ("A name that is much too long for a row", "<b>&", "x")
    position = after_capture().drop({1: "timeout"})
    scene = mebipenny_scene(position, None, names)
    assert "out: timeout" in texts_of(scene)
    assert "winner" in texts_of(scene)
    assert any(text.startswith("A name that") and text.endswith("…") for text in texts_of(scene))
    assert "<b>" not in format_svg(scene)


def test_a_shared_end_names_no_winner() -> None:
    position = play(situation("0 . 1", "0,1|", seats=2), "PASS", "PASS")
    assert position.scene(None).title == "MebiPenny: No winner: all passed"


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize(
    "options",
    [MebiPennyOptions(1, 1), MebiPennyOptions(4, 90), MebiPennyOptions(100, 80, 4, "0.2")],
    ids=["one cell", "wide", "large"],
)
def test_all_boards_fit(options: MebiPennyOptions, theme: Theme) -> None:
    position = GAME.start(options, 1)
    bot = GreedyBot(1)
    while position.to_act and position.turn < 80:
        position = position.play_move(bot.choose(position, position.next_seat, Budget()))
    scene = position.scene(None)
    assert (scene.width, scene.height) == (1000, 780)
    assert len(format_svg(scene, theme)) < 500_000
    for shape in scene.shapes:
        assert 0 <= shape.x <= scene.width
        assert 0 <= shape.y <= scene.height


def test_large_boards_are_drawn_by_owners() -> None:
    shapes = shapes_of(GAME.start(MebiPennyOptions(70, 70, 3, "0.1"), 1).scene(0))
    assert {"walls", "claims-0", "claims-1", "claims-2"} <= {*shapes}
    assert not any(id_.startswith("wall-") for id_ in shapes)


def test_players_differ_in_more_than_colour() -> None:
    assert len({theme.letter for theme in PLAYER_THEMES}) == 4
    assert len({theme.outline for theme in PLAYER_THEMES}) == 4
    assert {f"sign-{theme.role}" for theme in PLAYER_THEMES} <= {
        glyph.name for glyph in LOOK.glyphs
    }
