"""Clicking turns of Hive."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError
from agon.games.hive.clicks import step
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.scene import BOARD
from agon.games.shapes import Group, Hex, Shape, all_shapes
from tests import toy_game
from tests.games.clicking import all_turns, play_on
from tests.games.hive.situation import play
from tests.games.hive.test_rules_ending import NO_MOVE

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition
    from agon.games.scene import Scene


def shape(scene: Scene, name: str) -> Shape:
    return next(s for s in all_shapes(scene.shapes) if s.id == name)


@pytest.mark.parametrize("variant", ["Base", "Base+MLP"])
def test_clicks_lead_to_just_the_legal_moves(variant: str) -> None:
    rng = Random(3)  # noqa: S311
    for turns in (0, 1, 2, 3, 7, 14, 25, 40):
        position = play_on(GAME, HiveOptions(variant), 0, turns, rng)
        seat = position.side_to_move
        legal = [position.format_turn(seat, move) for move in position.moves]
        assert sorted(all_turns(step, position, seat)) == sorted(legal)


def test_a_forced_pass_needs_no_click() -> None:
    now = step(play(NO_MOVE), 1, [])
    assert (now.choices, now.buttons, now.turn) == ((), (), "pass")
    assert "pass" in now.prompt


def test_the_first_tile_goes_to_the_only_place() -> None:
    position = play("")
    now = step(position, 0, [])
    assert [choice.id for choice in now.choices] == ["pick-wS1", "pick-wB1", "pick-wG1", "pick-wA1"]
    picked = step(position, 0, ["pick-wG1"])
    assert [choice.id for choice in picked.choices] == ["to-0,0"]
    assert picked.turn is None
    assert "picked" in shape(picked.scene, "pick-wG1").role
    done = step(position, 0, ["pick-wG1", "to-0,0"])
    assert done.turn == "wG1"
    assert done.pick_words == ("place the white grasshopper 1 (wG1)", "put it on the empty table")


def test_a_move_is_shown_carried_out_before_it_is_sent() -> None:
    position = play(r"wS1 bS1*|wS1 wQ1|*wS1 bQ1*|bS1")
    done = step(position, 0, ["pick-wA1", "to--2,0"])
    assert done.turn == "wA1|*wQ1"
    after = position.play_move(position.parse_turn(0, "wA1|*wQ1"))
    shown, real = shape(done.scene, "tile-wA1"), shape(after.scene(None), "tile-wA1")
    assert isinstance(shown, Group)
    assert isinstance(real, Group)
    assert shown.scale != 0.54, "it is on the board"
    assert "not sent" in done.scene.title
    assert "White" in done.scene.title, "it is still white's turn"


def test_the_other_sides_tiles_can_be_thrown() -> None:
    opening = r"wP1 bG1*|wP1 wQ1|*wP1 bQ1*\bG1 wA1|*wQ1 bQ1*\wP1"
    position = play(rf"{opening} wS1|*wA1 bA1*|bG1", "Base+P")
    (thrown,) = (c for c in step(position, 0, []).choices if c.label.startswith("throw"))
    assert (thrown.id, thrown.label) == ("pick-bQ1", "throw the black queen (bQ1)")
    targets = step(position, 0, ["pick-bQ1"]).choices
    turns = {step(position, 0, ["pick-bQ1", target.id]).turn for target in targets}
    assert turns == {
        position.format_turn(0, m) for m in position.moves if str(position.tile_of(m)) == "bQ1"
    }
    own = {c.label.split()[0] for c in step(position, 0, []).choices if "-w" in c.id}
    assert own == {"place", "move"}


def test_all_targets_are_inside_the_board() -> None:
    rng = Random(5)  # noqa: S311
    for turns in (1, 6, 20, 40):
        position: HivePosition = play_on(GAME, HiveOptions("Base+MLP"), 0, turns, rng)
        for tile in step(position, position.side_to_move, []).choices:
            now = step(position, position.side_to_move, [tile.id])
            for choice in now.choices:
                target = shape(now.scene, choice.id)
                assert isinstance(target, Hex)
                assert BOARD[0] <= target.x - target.size / 2
                assert target.x + target.size / 2 <= BOARD[2]
                assert BOARD[1] <= target.y - target.size / 2
                assert target.y + target.size / 2 <= BOARD[3]


def test_positions_of_other_games_are_refused() -> None:
    with pytest.raises(SettingError, match="expected HivePosition"):
        step(toy_game.GAME.start(), 0, [])
