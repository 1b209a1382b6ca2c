"""Counting games: by seat, by length, and every byte of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agon.simulate.tally import Tally, game_seeds

steady = settings(derandomize=True, deadline=None)


def tally_of(*batches: tuple[list[list[int]], list[int]], checksum: bool = False) -> Tally:
    """The points of games stand for their final states, too."""
    tally = Tally.of_seats(3, checksum)
    for scores, plies in batches:
        tally.add(np.array(scores), np.array(plies), np.array(scores))
    return tally


def test_nothing_is_counted_yet() -> None:
    tally = tally_of()
    assert (tally.seats, tally.games, tally.plies) == (3, 0, 0)
    assert tally.wins == tally.points == [0, 0, 0]


def test_who_did_best_alone_wins() -> None:
    tally = tally_of(([[2, 1, 0], [0, 0, 3], [0, 1, 0]], [5, 6, 7]))
    assert (tally.wins, tally.shared, tally.unfinished) == ([1, 1, 1], 0, 0)
    assert tally.points == [2, 2, 3]


def test_a_shared_top_is_no_seats_win() -> None:
    tally = tally_of(([[1, 1, 0], [0, 0, 0], [2, 2, 2]], [5, 5, 5]))
    assert (tally.wins, tally.shared) == ([0, 0, 0], 3)
    assert tally.points == [3, 3, 2]


def test_unfinished_games_have_neither_winners_nor_points() -> None:
    tally = tally_of(([[-1, -1, -1], [4, 0, 0]], [500, 20]), ([[-1, -1, -1]], [500]))
    assert (tally.wins, tally.points) == ([1, 0, 0], [4, 0, 0])
    assert (tally.games, tally.unfinished, tally.shared) == (3, 2, 0)


def test_lengths_over_several_batches() -> None:
    tally = tally_of(([[1, 0, 0]] * 2, [30, 9]), ([[1, 0, 0]], [44]), ([[1, 0, 0]], [10]))
    assert (tally.games, tally.plies, tally.shortest, tally.longest) == (4, 93, 9, 44)


games = st.tuples(
    st.lists(st.integers(0, 4), min_size=3, max_size=3) | st.just([-1, -1, -1]),
    st.integers(1, 500),
)


@steady
@given(st.lists(st.lists(games, min_size=1, max_size=5), min_size=1, max_size=5))
def test_batches_do_not_matter(batches: list[list[tuple[list[int], int]]]) -> None:
    def columns(rows: list[tuple[list[int], int]]) -> tuple[list[list[int]], list[int]]:
        return [scores for scores, _ in rows], [plies for _, plies in rows]

    parts = tally_of(*map(columns, batches), checksum=True)
    whole = tally_of(columns([game for batch in batches for game in batch]), checksum=True)
    assert parts.checksum == whole.checksum
    assert replace(parts, _digest=None) == replace(whole, _digest=None)
    assert sum(whole.wins) + whole.shared + whole.unfinished == whole.games


def test_the_checksum_sees_every_byte_and_the_order() -> None:
    one, two = [1, 0, 0], [0, 1, 0]
    sums = [
        tally_of((scores, [1, 1]), checksum=True).checksum
        for scores in ([one, two], [two, one], [one, one])
    ]
    assert len(set(sums)) == 3
    assert all(found and len(found) == 32 for found in sums)


def test_no_checksum_unless_it_is_wanted() -> None:
    assert tally_of(([[1, 0, 0]], [1])).checksum is None


# --- seeds ---------------------------------------------------------------------------------------


@steady
@given(st.integers(0, 2**64 - 1), st.integers(0, 10**12), st.integers(1, 50))
def test_a_game_has_its_seed_in_any_batch(seed: int, first: int, count: int) -> None:
    seeds = game_seeds(seed, first, count)
    assert seeds.dtype == np.uint64
    assert len(seeds) == count
    last: Any = game_seeds(seed, first + count - 1, 1)[0]
    assert seeds[-1] == last
    assert len({*seeds.tolist()}) == count


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_seeds_wrap_around_without_a_warning(seed: int) -> None:
    assert len(game_seeds(seed, 0, 3)) == 3


def test_simulations_with_other_seeds_play_other_games() -> None:
    seeds = [number for seed in range(50) for number in game_seeds(seed, 0, 200).tolist()]
    assert len(set(seeds)) == len(seeds)
