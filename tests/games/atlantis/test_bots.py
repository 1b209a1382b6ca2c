"""The built-in bots: legal turns, the same for the same seed, in time, and one beats the other.

What holds for the bots of every game is tested in tests/test_every_game.py.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.games.atlantis.board import ONE_AREA, TO_BE_SURVEYED
from agon.games.atlantis.bots import BOTS, GreedyBot, PlanningBot, SearchBot
from agon.games.atlantis.continuation import POOL
from agon.games.atlantis.evaluate import CERTAIN
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.greedy import Planner
from agon.games.atlantis.search import MOST, Runner, Search, lead
from agon.games.bot import Budget
from tests.games.atlantis.drawn import drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.bot import Bot

SMALL = AtlantisOptions(size=3)
GLANCE = Budget(depth=1)
every_bot = pytest.mark.parametrize("name", BOTS)


class Ticks:
    """A clock that goes on by one whenever it is read."""

    def __init__(self, position: AtlantisPosition, bot: PlanningBot) -> None:
        self.now = 0
        self.judge = bot.plan(position).judge
        self.work: list[int] = []
        """How many positions had been looked at, at each look at the clock."""

    def __call__(self) -> int:
        self.now += 1
        self.work.append(int(self.judge["evaluated"]))
        return self.now


def play_match(
    bots: Sequence[Bot[tuple[int, ...]]],
    options: AtlantisOptions | None = None,
    budget: Budget = GLANCE,
    most: int = 1000,
) -> AtlantisPosition:
    """The last position of a match; an illegal turn raises."""
    position = GAME.start(options, 0, len(bots))
    while position.to_act and position.turn < most:
        seat = position.seat
        position = position.play({seat: bots[seat].choose(position, seat, budget)})
    return position


def count_wins(name: str, against: str, pairs: int, budget: Budget = GLANCE) -> int:
    """How many matches one wins in turns in both seats of the usual board."""
    wins = 0
    for seed in range(pairs):
        for seat in (0, 1):
            names = [name, against] if seat == 0 else [against, name]
            end = play_match([BOTS[n](2 * seed + i) for i, n in enumerate(names)], budget=budget)
            assert end.outcome is not None
            wins += end.outcome.winner == seat
    return wins


# --- legal, repeatable, in time ------------------------------------------------------------------


@pytest.mark.long
@every_bot
@pytest.mark.parametrize(("options", "seats"), [(SMALL, 2), (SMALL, 3), (AtlantisOptions(), 2)])
def test_every_position_of_a_random_match_has_a_legal_turn(
    name: str, options: AtlantisOptions, seats: int
) -> None:
    bot, chance = BOTS[name](3), Random(seats)  # noqa: S311
    position = GAME.start(options, 0, seats)
    while position.to_act and position.turn < 40:
        turn = bot.choose(position, position.seat, GLANCE)
        assert position.play({position.seat: turn})
        if position.forced:
            assert turn == ()
        position = position.play({position.seat: position.random_turn(position.seat, chance)})


@pytest.mark.long
@every_bot
def test_same_seed_same_match(name: str) -> None:
    first, again, other = (
        play_match([BOTS[name](seed), BOTS["greedy"](9)], most=24).observe(None)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.long
@pytest.mark.parametrize("depth", [0, 2, 7])
def test_search_of_a_depth_is_the_same_whatever_was_before(depth: int) -> None:
    position = play_match([BOTS["greedy"](1), BOTS["greedy"](2)], most=14)
    fresh, used = SearchBot(5), SearchBot(5)
    used.choose(GAME.start(), 0, GLANCE)
    budget = Budget(depth=depth)
    turn = fresh.choose(position, position.seat, budget)
    assert used.choose(position, position.seat, budget) == turn
    assert fresh.choose(position, position.seat, budget) == turn


@pytest.mark.parametrize("bot", [GreedyBot(1), SearchBot(1)], ids=["greedy", "search"])
def test_the_clock_is_looked_at_after_each_slice(bot: GreedyBot | SearchBot) -> None:
    position = play_match([BOTS["greedy"](1), BOTS["greedy"](2)], most=20)
    clock = Ticks(position, bot)
    turn = bot.choose(position, position.seat, Budget(clock, deadline=12))
    assert position.play({position.seat: turn})
    assert clock.now <= 12
    planner = bot.plan(position)
    again = (2 * POOL + 1) * len(position.ground.segments)
    quick_turn = planner.most_quick + 2 + again  # not interrupted
    assert max(np.diff(clock.work)) <= 3 * (planner.slice + 2) + quick_turn


def test_time_that_is_over_is_enough_for_a_turn() -> None:
    position = GAME.start()
    clock = Ticks(position, bot := SearchBot(1))
    assert bot.choose(position, 0, Budget(clock, deadline=0))  # the best single move
    assert clock.now == 1


def test_a_bot_may_change_boards() -> None:
    bot = SearchBot(1)
    for options, seats in [(SMALL, 2), (SMALL, 3), (None, 2), (SMALL, 2)]:
        position = GAME.start(options, 0, seats)
        assert position.play({0: bot.choose(position, 0, GLANCE)})


# --- quick turns and search ----------------------------------------------------------------------


def test_playing_on_goes_on_where_it_was_interrupted() -> None:
    position = play_match([BOTS["greedy"](1), BOTS["greedy"](2)], most=12)
    ends = []
    for pause in (1, 1 << 40):
        planner = Planner(position.ground, np.uint64(1))
        planner.stir(0)
        planner.slice = pause
        state = position.copy_state()
        pauses = 0
        while planner.play_on(state, position.turn + 5):
            pauses += 1
        assert state["turn"] == position.turn + 5
        assert planner.judge["brief"] == 0
        assert pauses == (4 if pause == 1 else 0)
        ends.append(state.tobytes())
    assert ends[0] == ends[1]


def test_a_quick_turn_takes_what_is_there() -> None:
    position = drawn("r2  .   b1  #   .   .   r1")
    planner = Planner(position.ground, np.uint64(1))
    state = position.copy_state()
    assert not planner.play_on(state, 1)
    assert not state["stacks"][1].any()
    assert state["stacks"][0].any()


def test_a_lead_counts_less_the_greater_it_is() -> None:
    leads = [lead(value) for value in (0, 500, 1000, 2000, 1 << 50)]
    assert leads == sorted(set(leads))
    assert leads[0] == 0
    assert leads[-1] < 2 * leads[2] <= MOST
    assert leads[1] > leads[2] - leads[1] > leads[3] - leads[2]


def test_the_heats_begin_behind_a_reply() -> None:
    position = play_match([BOTS["greedy"](1), BOTS["greedy"](2)], most=12)
    search = Search(SearchBot(1).plan(position), position.state, position.seat)
    turn = position.random_turn(position.seat, Random(1))  # noqa: S311
    start = position.play({position.seat: turn}).copy_state()
    runner = Runner(turn, start, now=start, total=5)
    for _ in search._answer(runner):
        pass
    assert runner.start["turn"] == position.turn + 2
    assert runner.total == 0


# --- strength ------------------------------------------------------------------------------------


def test_greedy_beats_random() -> None:
    assert count_wins("greedy", "random", 5) >= 9


@pytest.mark.long
def test_search_beats_greedy() -> None:
    assert count_wins("search", "greedy", 2, Budget(depth=4)) == 4


@pytest.mark.slow
def test_search_beats_greedy_in_90_of_100() -> None:
    assert count_wins("search", "greedy", 50, Budget(depth=8)) >= 90


@pytest.mark.parametrize(("options", "seats"), [(None, 2), (None, 3), (SMALL, 3)])
def test_matches_of_greedy_bots_end(options: AtlantisOptions | None, seats: int) -> None:
    for seed in range(4):
        bots = [BOTS["greedy"](10 * seed + seat) for seat in range(seats)]
        assert play_match(bots, options).turn < 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "size", "seats"), [("hexagon", 5, 6), ("rhombus", 6, 4), ("hexagon", 12, 2)]
)
def test_large_boards(board: str, size: int, seats: int) -> None:
    options = AtlantisOptions(board=board, size=size)
    bots = [BOTS["search" if seat == 1 else "greedy"](seat) for seat in range(seats)]
    assert play_match(bots, options, Budget(depth=1), most=12).turn == 12
    if size < 12:
        assert play_match([BOTS["greedy"](seat) for seat in range(seats)], options).outcome


# --- evaluation ----------------------------------------------------------------------------------


def value(position: AtlantisPosition, seat: int) -> int:
    """What a position is worth to a seat."""
    return Planner(position.ground, np.uint64(0)).value(position.state, seat)


@pytest.mark.parametrize("seats", [2, 3])
def test_one_area_is_worth_the_same_whether_it_is_known_to_be_one_or_not(seats: int) -> None:
    position, bot = GAME.start(None, 0, seats), BOTS["greedy"](1)
    surveyed = 0
    while position.to_act and position.turn < 12 * seats:
        position = position.play({position.seat: bot.choose(position, position.seat, GLANCE)})
        planner = Planner(position.ground, np.uint64(0))
        state = position.copy_state()
        surveyed += state["areas"] == ONE_AREA
        known = [planner.value(state, seat) for seat in range(seats)]
        state["areas"] = TO_BE_SURVEYED
        assert [planner.value(state, seat) for seat in range(seats)] == known
    assert surveyed > 6 * seats


def test_the_end_is_certain() -> None:
    won = drawn("r1  .   .   #   b1  .")
    assert won.outcome
    assert value(won, 0) > CERTAIN * 6 - 100
    assert value(won, 1) < -CERTAIN * 6 + 100


def test_a_tie_is_the_later_seats() -> None:
    assert value(drawn("r1  .   #   b1  ."), 0) < -CERTAIN


def test_more_stones_and_more_ground_are_better() -> None:
    row = "  .   .   .   .   .   .   .\n"
    even = drawn(row + "    .   r1  .   .   .   .   b1\n" + row)
    stronger = drawn(row + "    .   r2  .   .   .   .   b1\n" + row)
    nearer = drawn(row + "    .   .   .   r1  .   .   b1\n" + row)
    assert value(even, 0) < value(stronger, 0)
    assert value(even, 0) < value(nearer, 0)


def test_what_sinks_by_itself_is_foreseen() -> None:
    harmless = drawn("r1  .   .   #   B1  .   b1")
    sinking = drawn("r1  R1  .   #   B1  .   b1")
    assert value(harmless, 0) > value(sinking, 0)


TOWERS = """
    .   .   b100000
  .   .   .   r100000
    .   .   r100000
"""


def test_towers_of_stones_are_no_trouble() -> None:
    position = drawn(TOWERS)
    assert abs(value(position, 0)) < 1 << 50
    for name in BOTS:
        assert position.play({0: BOTS[name](1).choose(position, 0, GLANCE)})
