"""Clicking turns of Battlebots."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.battlebots.clicks import step
from agon.games.battlebots.game import GAME, BattlebotsOptions
from tests.games.battlebots.situation import begin
from tests.games.battlebots.test_properties import change_unseen
from tests.games.clicking import click_turn, play_on, walk_steps

if TYPE_CHECKING:
    from agon.games.battlebots.move import Order
    from agon.games.battlebots.position import BattlebotsPosition

FORTS = "a 0 0 ann 100, b 3 0 bob 5, c 0 4 neutral 0"
ROADS = "a b, a c"


def picks_for(position: BattlebotsPosition, seat: int, orders: list[Order]) -> list[str]:
    """Picks for these orders; sizes by going down as fast as the buttons allow."""
    numbers = position.layout.fort_numbers
    picks: list[str] = []
    for order in orders:
        picks += [f"from-{numbers[order.origin]}", f"to-{numbers[order.target]}"]
        while True:
            text = step(position, seat, picks).turn or ""
            if int(text.rpartition(" ")[2]) == order.soldiers:
                break
            sizes = [int(b.id.removeprefix("send-")) for b in step(position, seat, picks).buttons]
            picks.append(f"send-{min(size for size in sizes if size >= order.soldiers)}")
    return picks


def test_every_size_is_a_few_clicks_away() -> None:
    position = begin(FORTS, ROADS)
    found: dict[str, list[str]] = {}
    waiting = [["from-0", "to-1"]]
    for picks in waiting:
        now = step(position, 0, picks)
        if now.turn is not None and now.turn not in found:
            found[now.turn] = picks
            waiting += [[*picks, button.id] for button in now.buttons]
    assert found.keys() == {f"a b {size}" for size in range(1, 101)}
    assert max(len(picks) for picks in found.values()) <= 2 + 8


def test_every_turn_can_be_clicked() -> None:
    rng = Random(1)  # noqa: S311
    orders = 0
    for turns in range(0, 30, 3):
        position = play_on(GAME, BattlebotsOptions(), turns, turns, rng)
        for seat in position.to_act:
            turn = position.random_turn(seat, rng)
            picks = picks_for(position, seat, list(turn))
            assert step(position, seat, picks).turn == position.format_turn(seat, turn)
            orders += len(turn)
    assert orders > 20


def test_who_stays_behind_can_be_sent_elsewhere() -> None:
    position = begin(FORTS, ROADS)
    all_sent = step(position, 0, ["from-0", "to-1"])
    assert all_sent.turn == "a b 100"
    assert all_sent.choices == (), "no soldiers are left"
    half = step(position, 0, ["from-0", "to-1", "send-50"])
    assert [choice.id for choice in half.choices] == ["from-0"]
    again = step(position, 0, ["from-0", "to-1", "send-50", "from-0"])
    assert [choice.id for choice in again.choices] == ["to-2"], "one order for each road"
    done = step(position, 0, ["from-0", "to-1", "send-50", "from-0", "to-2"])
    assert done.turn == "a b 50, a c 50"
    assert done.pick_words == (
        "soldiers of a, 100 without orders",
        "100 to b (bob, 5), 3 steps away",
        "half: 50",
        "soldiers of a, 50 without orders",
        "50 to c (neutral, 0), 4 steps away",
    )


def test_a_pass_needs_no_click() -> None:
    now = step(begin(FORTS, ROADS), 0, [])
    assert now.turn == "pass"
    assert now.buttons == ()


def test_armies_are_shown_at_the_gates() -> None:
    position = begin(FORTS, ROADS)
    now = step(position, 0, ["from-0", "to-1", "send-50"])
    assert position.layout.lanes["a", "b"] == 0
    names = {shape.id: shape for shape in now.scene.shapes}
    assert "50 from a to b" in names["army-0-0-0"].tip
    assert "picked" in names["order-0"].role
    assert names["fort-0"].tip == "a: ann, 50"
    assert names["fort-1"].tip == "b: bob, 5"


@pytest.mark.long
@pytest.mark.parametrize("sight", ["all-roads", "own-roads"])
def test_nothing_leaks_from_out_of_sight(sight: str) -> None:
    rng = Random(6)  # noqa: S311
    differ = 0
    for turns in range(2, 20, 2):
        options = BattlebotsOptions(seats=4, sight=sight)
        position = play_on(GAME, options, turns, turns, rng)
        for seat in position.to_act:
            other = change_unseen(position, seat, rng)
            if seat not in other.to_act:
                continue
            assert other.observe(seat) == position.observe(seat)
            differ += other.observe(None) != position.observe(None)
            picks = click_turn(step, position, seat, rng)[:12]
            assert walk_steps(step, other, seat, picks) == walk_steps(step, position, seat, picks)
    assert differ > 10
