"""Shares of a perft: however it is cut, the sum is the same."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.errors import SettingError
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.perft_run import DEEPEST, hive_perft_jobs

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition


def play_randomly(seed: int, plies: int) -> HivePosition:
    rng = Random(seed)  # noqa: S311  not a secret
    position = GAME.start(HiveOptions(variant="Base+MLP", repetition=False))
    while position.to_act and position.turn < plies:
        position = position.play_move(position.random_turn(position.side_to_move, rng))
    return position


@pytest.mark.parametrize("seed", range(4))
def test_the_cut_does_not_matter(seed: int) -> None:
    position = play_randomly(seed, 24)
    whole = sum(job.count() for job in hive_perft_jobs(position, 3, 1))
    shares = hive_perft_jobs(position, 3, 10**6)
    assert len(shares) > len(position.moves)
    assert sum(job.count() for job in shares) == whole


def test_every_first_move_has_its_share() -> None:
    position = play_randomly(1, 24)
    jobs = hive_perft_jobs(position, 1, 10**6)
    assert len({job.first for job in jobs}) == len(jobs) == len(position.moves)
    assert [job.count() for job in jobs] == [1] * len(jobs)


def test_a_finished_match_has_no_lines() -> None:
    position = play_randomly(2, 10**6)
    assert position.outcome
    assert hive_perft_jobs(position, 2, 8) == []
    assert [job.count() for job in hive_perft_jobs(position, 0, 8)] == [1]


@pytest.mark.parametrize("depth", [-1, DEEPEST + 1])
def test_depths_that_cannot_be_counted_are_refused(depth: int) -> None:
    with pytest.raises(SettingError, match=f"depth {depth}: expected 0 to {DEEPEST}"):
        hive_perft_jobs(GAME.start(), depth, 1)
