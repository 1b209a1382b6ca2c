"""Clicking turns of MebiPenny."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.mebipenny.clicks import step
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.shapes import Group, all_shapes
from tests.games.clicking import all_turns, click_turn, play_on, walk_steps
from tests.games.mebipenny.situation import legal_texts, situation

if TYPE_CHECKING:
    from agon.games.scene import Scene

TIE = """
. . . . .
. 0 x 1 1
. . . . .
"""


def previews(scene: Scene) -> dict[str, str]:
    """The claims that a preview shows, and whose they are."""
    groups = [s for s in all_shapes(scene.shapes) if s.id.startswith("preview-")]
    return {
        group.id.removeprefix("preview-"): group.parts[0].role
        for group in groups
        if isinstance(group, Group)
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_clicks_lead_to_just_the_legal_moves(seats: int) -> None:
    rng = Random(2)  # noqa: S311
    options = MebiPennyOptions(8, 9, seats, "0.1")
    for turns in range(0, 60, 4):
        position = play_on(GAME, options, turns, turns, rng)
        assert sorted(all_turns(step, position, position.next_seat)) == sorted(
            legal_texts(position)
        )


def test_in_a_tie_the_favoured_one_is_a_button() -> None:
    position = situation(TIE, seats=2)
    now = step(position, 0, ["play-1,2"])
    assert [button.id for button in now.buttons] == ["favor-0", "favor-1"]
    assert [button.label for button in now.buttons] == ["favour Red (you)", "favour Blue"]
    assert now.turn is None
    assert "tie" in now.prompt
    assert step(position, 0, ["play-1,2", "favor-0"]).turn == "1,2"
    blue = step(position, 0, ["play-1,2", "favor-1"])
    assert blue.turn == "1,2 favor 1"
    assert blue.prompt.startswith("Red -1, Blue +2:")
    assert previews(blue.scene) == dict.fromkeys(["1,1", "1,2"], "claim blue")


def test_without_a_tie_there_is_nothing_to_choose() -> None:
    position = situation(TIE.replace("1", "."), seats=2)
    now = step(position, 0, ["play-1,2"])
    assert (now.choices, now.buttons, now.turn) == ((), (), "1,2")


def test_an_empty_hand_passes_without_a_click() -> None:
    position = situation(TIE.replace("x", "."), hands="|0,0", seats=2)
    now = step(position, 0, [])
    assert (now.choices, now.buttons, now.turn) == ((), (), "PASS")


def test_previews_show_the_claims_of_the_position_after() -> None:
    rng = Random(4)  # noqa: S311
    shown = 0
    for turns in range(4, 60, 3):
        position = play_on(GAME, MebiPennyOptions(7, 7, 3), turns, turns, rng)
        seat = position.next_seat
        now = step(position, seat, click_turn(step, position, seat, rng))
        after = position.play_move(position.parse_turn(seat, now.turn or ""))
        changed = {f"{t.row},{t.col}" for t, owner in after.claims(since=position)}
        claims = previews(now.scene)
        assert changed <= claims.keys()
        names = ("red", "blue", "green", "yellow")
        for place, role in claims.items():
            row, col = map(int, place.split(","))
            assert role == f"claim {names[after.owners[row, col]]}"
        shown += len(claims)
    assert shown > 20


def test_nothing_leaks_from_other_hands_and_from_the_pile() -> None:
    rng = Random(6)  # noqa: S311
    differ = 0
    for turns in range(0, 40, 3):
        position = play_on(GAME, MebiPennyOptions(9, 9, 3), turns, turns, rng)
        seat = position.next_seat
        other = position.redeal(seat, turns + 100)
        differ += other.hands != position.hands
        picks = click_turn(step, position, seat, rng)
        assert walk_steps(step, other, seat, picks) == walk_steps(step, position, seat, picks)
    assert differ > 10


def test_what_is_clicked_can_be_hit_on_huge_boards() -> None:
    position = GAME.start(MebiPennyOptions(256, 256), 1)
    now = step(position, 0, [])
    boxes = [s for s in all_shapes(now.scene.shapes) if "choice" in s.role.split()]
    assert len(boxes) == 6
    assert all(getattr(box, "width", 0) >= 14 for box in boxes)
