"""The base of small games with more than two seats: who fails, who wins, what is clicked."""

from __future__ import annotations

from itertools import permutations

import pytest

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.bot import Budget
from agon.simulate.cores import simulate_on_cores
from tests.games.sequential.race.game import GAME, RaceOptions


def test_a_seat_that_failed_takes_its_first_move_and_comes_last() -> None:
    position = GAME.start().drop({1: "crash"})
    assert (position.to_act, dict(position.forced)) == ((0,), {})
    position = position.play({0: 1})
    assert (position.to_act, dict(position.forced)) == ((1,), {1: 1})
    while position.to_act:
        (seat,) = position.to_act
        position = position.play({seat: position.forced.get(seat, position.moves[-1])})
    assert position.outcome is not None
    assert position.outcome.scores[1] == -1
    assert position.outcome.ranks[1] == 2


@pytest.mark.parametrize(("first", "second"), [*permutations(range(3), 2)])
def test_the_last_seat_that_is_left_wins(first: int, second: int) -> None:
    position = GAME.start().play({0: 2})
    apart = position.drop({first: "crash"}).drop({second: "timeout"})
    together = position.drop({first: "crash", second: "timeout"})
    assert apart.outcome == together.outcome
    assert apart.outcome is not None
    assert apart.outcome.winner == 3 - first - second
    assert apart.to_act == ()


def test_a_match_as_text_says_how_many_play() -> None:
    text = "seats=4 seed=7;2;2;1;1;2"
    assert GAME.format_match(GAME.parse_match(text)) == text
    assert GAME.parse_position(text).seats == 4
    for wrong in ("seats=9 seed=7", "seats=4", "seats=4 seed=7;3", "seats=4 rows=1 seed=7"):
        with pytest.raises(NotationError):
            GAME.parse_match(wrong)
    with pytest.raises(IllegalMoveError, match="the legal moves are 1"):
        GAME.parse_match("seats=2 seed=0;2;1;2;1;2")
    with pytest.raises(SettingError, match="the option says 3"):
        GAME.start(RaceOptions(3), 0, 2)


def test_a_move_with_a_place_is_lit_and_another_has_a_button() -> None:
    position = GAME.start()
    step = GAME.clicks()(position, 0, [])
    assert [choice.id for choice in step.choices] == ["move-2"]
    assert [choice.id for choice in step.buttons] == ["move-1"]
    assert GAME.clicks()(position, 0, ["move-1"]).turn == "1"


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_bots_that_think_win_where_they_can(name: str) -> None:
    position = GAME.parse_position("seats=3 seed=0;2;2;2;1;2;2")  # now or never
    assert GAME.bot(name, 1).choose(position, 0, Budget()) == 2


def test_a_simulation_has_as_many_seats_as_the_option_says() -> None:
    tally = simulate_on_cores(GAME.simulation(RaceOptions(4)), 50, seed=1, cap=100, threads=1)
    assert (len(tally.wins), tally.unfinished) == (4, 0)
