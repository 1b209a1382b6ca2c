"""Turns step by step: what each stage is called, and what has happened by then."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.robot import Hit
from agon.games.skyport.stages import Phase
from agon.games.skyport.turn_words import describe_deed, describe_penalties, last_actor
from tests.games.skyport.situation import begin, change, health, places, play, scores

if TYPE_CHECKING:
    from agon.games.skyport.position import SkyportPosition

PLAIN = "SGRGG/GGGGG/GGVGG/GGGGG/GGGGS"


def stages(position: SkyportPosition, text: str) -> list[tuple[str, SkyportPosition]]:
    (seat,) = position.to_act
    return [*position.stages({seat: position.parse_turn(seat, text)})]


def captions(position: SkyportPosition, text: str) -> list[str]:
    return [caption for caption, _ in stages(position, text)]


def phases(position: SkyportPosition, text: str) -> list[Phase | None]:
    moments = [stage.moment for _, stage in stages(position, text)]
    return [None if moment is None else moment.phase for moment in moments]


def test_loadouts_are_one_stage() -> None:
    start = GAME.start(None, 1)
    turns = {seat: start.parse_turn(seat, "loadout laser droid") for seat in (0, 1)}
    ((caption, after),) = start.stages(turns)
    assert caption == "weapons"
    assert after.observe(None) == start.play(turns).observe(None)


def test_each_action_is_a_stage() -> None:
    found = stages(begin(PLAIN), "move right-down; move right-down; mine")
    assert [caption for caption, _ in found] == [
        "move right-down", "move right-down", "mine", "the turn is over"
    ]  # fmt: skip
    assert [places(stage)[0] for _, stage in found] == [(0, 1), (0, 2), (0, 2), (0, 2)]
    assert [stage.robots[0].units[0] for _, stage in found] == [0, 0, 1, 1]
    assert [len(stage.deeds) for _, stage in found] == [1, 2, 3, 3]


def test_refused_actions_are_told_and_change_nothing() -> None:
    start = begin(PLAIN)
    (caption, refused), *_ = stages(start, "move up; move down")
    assert caption == "refused: move up: off the map"
    assert places(refused) == places(start)


def test_r12_a_laser_shines_before_it_hits() -> None:
    position = change(begin(PLAIN), {0: (1, 0), 1: (1, 3)})
    turn = "laser right-down"
    assert captions(position, turn) == ["laser right-down", "Blue loses 22", "the turn is over"]
    assert phases(position, turn) == [Phase.FLIGHT, Phase.HIT, None]
    assert [health(stage)[1] for _, stage in stages(position, turn)] == [100, 78, 78]


def test_r13_a_shell_flies_explodes_and_kills() -> None:
    position = change(begin(PLAIN), {0: (1, 0), 1: (1, 1)}, {0: 30, 1: 10})
    assert captions(position, "mortar 0,1") == [
        "mortar 0,1",
        "Red loses 25, Blue loses 10 and dies",
        "Blue is dead",
        "the turn is over",
    ]
    assert phases(position, "mortar 0,1") == [Phase.FLIGHT, Phase.HIT, Phase.DONE, None]


@pytest.mark.parametrize("target", ["1,2", "-2,-1"], ids=["on void", "off the map"])
def test_r13_a_shell_may_be_lost(target: str) -> None:
    position = change(begin(PLAIN), {0: (1, 0)}, level={(0, "mortar"): 3})
    assert captions(position, f"mortar {target}") == [
        f"mortar {target}", "the shell is lost", "the turn is over"
    ]  # fmt: skip


def test_r14_a_droid_has_a_stage_for_each_step() -> None:
    position = change(begin(PLAIN, "droid laser"), {0: (1, 0)})
    found = stages(position, "droid right-down,right-down,left-down")
    assert [caption for caption, _ in found] == [
        "droid right-down,right-down,left-down",
        "step 1 of the droid",
        "step 2 of the droid",
        "no robot is hit",  # the void blocks the third
        "the turn is over",
    ]
    assert [stage.moment.walked for _, stage in found if stage.moment] == [0, 1, 2, 0]


def test_r16_who_returns_is_told() -> None:
    position = change(begin(PLAIN), {0: (1, 0), 1: (1, 1)}, {1: 5})
    position = play(position, "laser right-down")  # kills seat 1, whose next turn is skipped
    assert captions(position, "move left-down") == ["move left-down", "Blue is back"]


def test_r16_who_dies_with_its_killer_may_be_back_at_once() -> None:
    """Both die; of the two turns that are skipped the killer's is the second."""
    position = change(begin(PLAIN), {0: (1, 0), 1: (1, 1)}, {0: 5, 1: 7})
    found = stages(position, "mortar 0,1")
    assert [caption for caption, _ in found][-2:] == [
        "Red and Blue are dead",
        "Blue is back",
    ]
    assert found[-1][1].deeds[0].hits == (Hit(0, 5, True), Hit(1, 7, True))
    assert health(found[-1][1]) == [0, 100]


def test_r17_penalties_are_a_stage() -> None:
    found = stages(begin(PLAIN), "pass")
    told = "lost: 10 points for doing nothing and 10 for staying on the spawn"
    assert [caption for caption, _ in found] == ["pass", told, "the turn is over"]
    assert [scores(stage)[0] for _, stage in found] == [0, -20, -20]
    assert captions(begin(PLAIN), "nothing") == [told, "the turn is over"]
    assert captions(begin(PLAIN), "upgrade laser; move down") == [
        "refused: upgrade laser: not enough rubidium", "move down", "the turn is over"
    ]  # fmt: skip


def test_the_end_is_told() -> None:
    position = play(begin(PLAIN, turns=1), "move down")
    assert captions(position, "move up")[-1] == "the match is over"


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_stages_lead_to_what_is_played(seats: int) -> None:
    rng = Random(seats)  # noqa: S311
    position = GAME.start(SkyportOptions(turns=15), 5, seats)
    while position.to_act:
        turns = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        *before, (_, last) = position.stages(turns)
        after = position.play(turns)
        assert last.observe(None) == after.observe(None)
        assert all(stage.turn == position.turn for _, stage in before)
        if before:
            assert [robot.score for robot in before[-1][1].robots] == scores(after)
        position = after


def test_the_last_turn_in_words() -> None:
    position = play(begin(PLAIN), "mine; move down; laser up")
    assert last_actor(position) == 0
    assert [describe_deed(position, deed) for deed in position.deeds] == [
        "refused: mine: nothing to mine on an S tile",
        "move down",
        "laser up: no robot is hit",
    ]
    assert describe_penalties(position) == ""
    assert last_actor(begin(PLAIN)) is None
