"""The search of Battlebots: timed attacks, plans that are carried on, and the others' replies."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.games.battlebots.belief import Belief
from agon.games.battlebots.board import MOST_SEATS, NEUTRAL
from agon.games.battlebots.campaign import copy_to
from agon.games.battlebots.climb import Climb, Records
from agon.games.battlebots.evaluate import (
    LOOKS,
    MARGIN,
    NO_BAR,
    VICTORY,
    WORSE_THAN_ALL,
    rate_campaigns,
)
from agon.games.battlebots.game import GAME
from agon.games.battlebots.options import list_options, march_now
from agon.games.battlebots.search import FIRST_REPLIES, Search
from tests.games.battlebots.situation import begin

if TYPE_CHECKING:
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.kernel import IntArray

# a fort of bob's that no fort of ann's can take alone: near is 3 steps away, far 8, back 5 + 3
TOGETHER = "near 0 0 ann 20, far 11 0 ann 20, back 0 5 ann 20, goal 3 0 bob 44"
ROADS = "near goal, far goal, back near"


def list_at(position: BattlebotsPosition, fort: str) -> tuple[Belief, Climb, int]:
    """The options at a fort, in a search that has not begun; how many."""
    belief = Belief(position, 0)
    records = Records(belief)
    climb = Climb(records, 0, 1)
    number = [known.name for known in belief.field.forts].index(fort)
    march_now(records.setup, records.state, records.now, climb.replies, 0, (1 << MOST_SEATS) - 2)
    climb.count = 1
    count = list_options(
        records.setup, records.state, records.now, climb.best, climb.options, number, 0
    )
    return belief, climb, count


def rate(records: Records, climb: Climb, count: int, bar: int = NO_BAR) -> list[int]:
    """What the options are worth, if the best one is worth so much."""
    bars, scores = np.full(1, bar), np.zeros((count, 1), np.int64)
    values: IntArray = np.zeros(count, np.int64)
    rate_campaigns(
        *(records.setup, records.state, records.trial, records.work, records.later),
        *(climb.best, climb.options, climb.replies, bars, scores, values),
        *(0, 0, count, 1),
    )
    return list(map(int, values))


# --- timed attacks --------------------------------------------------------------------------------


def test_armies_are_timed_to_arrive_together() -> None:
    belief, climb, count = list_at(begin(TOGETHER, ROADS), "goal")
    plans = [
        (
            {
                (o.origin, o.target): o.soldiers
                for o in belief.read_turn(climb.options[i]["orders"])
            },
            belief.read_planned(climb.options[i]),
        )
        for i in range(count)
    ]
    both = {("far", "goal"): 20, ("back", "near"): 20}
    assert (both, {"near": (5, "goal")}) in plans, "near waits for the others"
    assert ({("near", "goal"): 20}, {}) in plans, "near alone"


def test_a_timed_attack_is_played_out_as_planned() -> None:
    """Near waits for the others; against a fort that nobody leaves they take it together."""
    belief, climb, count = list_at(begin(TOGETHER, ROADS), "goal")
    records = Records(belief)
    climb.replies[0]["orders"] = 0
    climb.replies[0]["wait"] = 99
    values = rate(records, climb, count)
    won = [i for i in range(count) if values[i] > LOOKS * VICTORY]  # before the first look
    assert [belief.read_planned(climb.options[i]) for i in won] == [{"near": (5, "goal")}]


# --- plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wait", "leaves"), [(1, True), (2, False)])
def test_a_plan_is_carried_on(wait: int, leaves: bool) -> None:
    """The farthest soldiers are under way already: who waits for them leaves when it is time."""
    position = begin(
        "near 0 0 ann 20, far 11 0 ann 1, goal 3 0 bob 30",
        "near goal, far goal",
        f"far goal ann 30 {wait + 2}",
    )
    belief = Belief(position, 0)
    search = Search(belief, {"near": (wait, "goal")})
    for _ in search.think(0):
        pass
    orders = belief.read_turn(search.orders)
    assert [order.soldiers for order in orders if order.origin == "near"] == [20] * leaves


def test_a_plan_is_kept_by_names() -> None:
    position = begin(TOGETHER, ROADS)
    belief = Belief(position, 0)
    records = Records(belief)
    planned = {"near": (3, "goal"), "back": (4, "")}
    climb = Climb(records, 0, 1)
    belief.write_planned(planned, climb.best[0])
    assert belief.read_planned(climb.best[0]) == planned


# --- ratings --------------------------------------------------------------------------------------


def test_what_falls_behind_is_given_up_and_the_best_is_not_played_again() -> None:
    position = begin(TOGETHER, ROADS)
    _, climb, count = list_at(position, "near")
    records = Records(Belief(position, 0))

    first = rate(records, climb, count)
    assert min(first) > WORSE_THAN_ALL
    copy_to(records.setup, climb.options, 0, climb.best, 0)
    again = rate(records, climb, count, first[0])
    assert again[0] == WORSE_THAN_ALL, "the best itself"
    assert again[1:] == [
        value if value >= first[0] - MARGIN else WORSE_THAN_ALL for value in first[1:]
    ]


# --- replies --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
def test_replies_are_turns_that_the_others_may_play(seats: int) -> None:
    rng = Random(seats)  # noqa: S311
    position = GAME.start(None, seats, seats)
    for _ in range(20):
        position = position.play({s: position.random_turn(s, rng) for s in position.to_act})
    belief = Belief(position, 1)
    search = Search(belief, {})
    for _ in search.think(3):
        pass
    assert len(search.replies) == FIRST_REPLIES + 2
    state, setup = belief.state[0], belief.setup[0]
    for reply in search.replies:
        sent = [0] * int(setup["forts"])
        for lane, soldiers in enumerate(reply["orders"].tolist()):
            if soldiers:
                sent[int(setup["origin"][lane])] += soldiers
        for fort, soldiers in enumerate(sent):
            assert 0 <= soldiers <= int(state["garrison"][fort])
            assert not soldiers or int(state["owner"][fort]) not in (1, NEUTRAL)
    marching, last = search.replies[0], search.replies[-1]
    assert (marching["orders"] != last["orders"]).any() or (marching["wait"] != last["wait"]).any()
