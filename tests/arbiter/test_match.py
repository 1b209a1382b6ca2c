"""One match: turns at the same time, clocks, the turn limit, spectators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.match import Limits, play_match
from agon.errors import IllegalMoveError
from agon.games.bot import Budget, no_time
from tests.toy_game import GAME, Card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position


@dataclass
class Clock:
    """A clock that moves when it is told to, and not before."""

    now: int = 1_000

    def __call__(self) -> int:
        return self.now


@dataclass
class Scripted:
    """Plays the card of that place in its hand, and takes that long for it."""

    clock: Clock = field(default_factory=Clock)
    places: Sequence[int] = (0, 0, 0)
    takes: Sequence[int] = (0, 0, 0)
    seen: list[tuple[Position[Any], int, Budget]] = field(default_factory=list)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
        turn = len(self.seen)
        self.seen.append((position, seat, budget))
        self.clock.now += self.takes[turn]
        card: Card = position.legal_moves(seat)[self.places[turn]]
        return card


def test_a_match_goes_to_its_end() -> None:
    bots = [Scripted(places=(2, 1, 0)), Scripted(), Scripted()]
    start = GAME.start(seed=3)
    match = play_match(start, bots, Limits(), no_time)
    assert match.positions[0] is start
    assert match.turns == 3
    assert match.outcome == match.positions[-1].outcome
    assert match.outcome.reason == "all cards played"
    hands = [start.legal_moves(seat) for seat in range(3)]
    assert GAME.format_match(match.positions).split(";")[1:] == [
        " ".join(
            start.format_turn(seat, hands[seat][place]) for seat, place in enumerate((2 - n, n, n))
        )
        for n in range(3)
    ]


def test_turns_at_the_same_time_are_chosen_from_the_same_position() -> None:
    bots = [Scripted(), Scripted(), Scripted()]
    match = play_match(GAME.start(), bots, Limits(), no_time)
    for turn in range(3):
        for seat, bot in enumerate(bots):
            position, own_seat, _ = bot.seen[turn]
            assert position is match.positions[turn]
            assert own_seat == seat


def test_each_seat_has_its_own_time() -> None:
    clock = Clock()
    bots = [
        Scripted(clock, takes=(5, 1, 1)),
        Scripted(clock, takes=(0, 0, 0)),
        Scripted(clock, takes=(10, 40, 20)),
    ]
    match = play_match(GAME.start(), bots, Limits(), clock)
    assert match.thought_ns == (7, 0, 70)
    assert match.slowest_ns == (5, 0, 40)


def test_a_budget_begins_when_the_turn_does() -> None:
    clock = Clock()
    bots = [Scripted(clock, takes=(5, 5, 5)) for _ in range(3)]
    play_match(GAME.start(), bots, Limits(turn_ns=100, depth=4), clock)
    deadlines = [bots[n % 3].seen[n // 3][2].deadline for n in range(9)]
    assert deadlines == [1_100 + 5 * n for n in range(9)]
    assert all(budget.depth == 4 for bot in bots for _, _, budget in bot.seen)


def test_without_a_time_there_is_no_deadline() -> None:
    budget = Limits(depth=2).budget(Clock())
    assert (budget.deadline, budget.depth, budget.is_spent()) == (None, 2, False)


def test_a_budget_is_spent_at_its_deadline() -> None:
    clock = Clock()
    budget = Limits(turn_ns=10).budget(clock)
    clock.now += 9
    assert not budget.is_spent()
    clock.now += 1
    assert budget.is_spent()


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_at_the_turn_limit_nobody_wins(turns: int) -> None:
    bots = [Scripted() for _ in range(3)]
    match = play_match(GAME.start(), bots, Limits(turns=turns), no_time)
    assert match.turns == turns
    assert (match.outcome.scores, match.outcome.reason) == ((0, 0, 0), "turn limit")
    assert match.outcome.winner is None


@pytest.mark.parametrize("turns", [3, 4, None])
def test_a_limit_that_is_not_needed_changes_nothing(turns: int | None) -> None:
    bots = [Scripted() for _ in range(3)]
    match = play_match(GAME.start(), bots, Limits(turns=turns), no_time)
    assert (match.turns, match.outcome.reason) == (3, "all cards played")


def test_a_spectator_sees_every_position_once() -> None:
    seen: list[Position[Any]] = []
    bots = [Scripted() for _ in range(3)]
    match = play_match(GAME.start(), bots, Limits(), no_time, seen.append)
    assert seen == list(match.positions)


def test_a_match_that_is_over_is_not_played() -> None:
    bots = [Scripted() for _ in range(3)]
    last = play_match(GAME.start(), bots, Limits(), no_time).positions[-1]
    again = play_match(last, bots, Limits(), no_time)
    assert (again.turns, again.outcome) == (0, last.outcome)


def test_an_illegal_turn_is_not_replaced_by_another() -> None:
    class Cheat(Scripted):
        def choose(self, position: Position[Any], seat: int, budget: Budget) -> Card:
            card: Card = position.legal_moves(1 - seat)[0]
            return card

    with pytest.raises(IllegalMoveError, match="not in the hand of seat 0"):
        play_match(GAME.start(), [Cheat(), Scripted(), Scripted()], Limits(), no_time)
