"""Simulation on cores: the same games however they are shared out."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from agon.errors import SettingError
from agon.games.simulation import Simulation
from agon.simulate.cores import BATCH, play_batch, simulate_on_cores
from agon.simulate.tally import game_seeds
from tests.toy_game import GAME

TOY = GAME.simulation()


def as_kind(kind: type[Simulation]) -> Simulation:
    """The toy's simulation, with what the kind does in another way."""
    return kind(**{part.name: getattr(TOY, part.name) for part in fields(Simulation)})


@pytest.mark.parametrize("games", [1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH + 7])
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_all_games_are_played_and_told(games: int, threads: int) -> None:
    told: list[int] = []
    tally = simulate_on_cores(TOY, games, 4, 10, threads, on_progress=told.append)
    assert tally.games == sum(told) == games
    assert all(0 < done <= BATCH for done in told)
    assert sum(tally.wins) + tally.shared == games


def test_threads_do_not_change_the_games() -> None:
    tallies = [simulate_on_cores(TOY, 1000, 8, 10, threads, checksum=True) for threads in (1, 3, 9)]
    assert len({tally.checksum for tally in tallies}) == 1
    assert tallies[0].wins == tallies[1].wins == tallies[2].wins


def test_another_seed_gives_other_games() -> None:
    sums = {simulate_on_cores(TOY, 10, seed, 10, 1, checksum=True).checksum for seed in range(5)}
    assert len(sums) == 5


@pytest.mark.parametrize("cap", [1, 2])
def test_a_cap_ends_games_unfinished(cap: int) -> None:
    tally = simulate_on_cores(TOY, 30, 0, cap, 1)
    assert (tally.shortest, tally.longest, tally.unfinished) == (cap, cap, 30)
    assert tally.wins == [0, 0, 0]


def test_a_cap_at_the_end_of_a_game_leaves_it_finished() -> None:
    assert simulate_on_cores(TOY, 30, 0, 3, 1).unfinished == 0


def test_games_know_nothing_of_the_games_before_them() -> None:
    seeds = game_seeds(6, 0, 40)
    states, plies = play_batch(TOY, seeds, 10)
    backwards, plies_backwards = play_batch(TOY, seeds[::-1].copy(), 10)
    assert states.tobytes() == backwards[::-1].tobytes()
    assert plies.tolist() == plies_backwards[::-1].tolist()
    few, _ = play_batch(TOY, seeds[:7], 10)
    assert few.tobytes() == states[:7].tobytes()


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    class Refusing(Simulation):
        def play_games(self, *arguments: Any) -> None:
            raise SettingError("not today")

    with pytest.raises(SettingError, match="not today"):
        simulate_on_cores(as_kind(Refusing), 1000, 0, 10, 4)


def test_no_more_states_are_held_than_threads_can_fill() -> None:
    begun, counted = [0], [0]

    class Counting(Simulation):
        def play_games(self, states: Any, *arguments: Any) -> None:
            begun[0] += len(states)
            most = 4 * BATCH
            assert begun[0] - counted[0] <= most, "one thread: three batches ahead, one counted"

        def score_games(self, states: Any) -> Any:
            return np.zeros((len(states), 3), np.int64)

    def count(done: int) -> None:
        counted[0] += done

    simulate_on_cores(as_kind(Counting), 40 * BATCH, 0, 10, 1, on_progress=count)
    assert begun == counted == [40 * BATCH]
