"""What a move costs does not grow with the board: counted in words and steps, not in time."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agon.games.mebipenny.board import CELL, LEADER, MEMBER, SIDES, SIZE
from agon.games.mebipenny.filling import play_random_tile
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.mebipenny.position import MebiPennyPosition
    from agon.kernel import IntArray

MOST_WORDS = 1 + SIDES  # the tile's own, and those of the leaders around it


def filled(options: MebiPennyOptions, seed: int) -> Iterator[MebiPennyPosition]:
    """The positions of a match by chance in which no player with a tile passes."""
    rng, position = Random(seed), GAME.start(options, seed)  # noqa: S311
    yield position
    while position.to_act:
        position = position.play_move(rng.choice(position.moves[:-1] or position.moves))
        yield position


def words_of(position: MebiPennyPosition) -> IntArray:
    words: IntArray = position.copy_state()["cells"].astype(np.int64)
    return words


def steps_to_leaders(words: IntArray) -> tuple[IntArray, IntArray]:
    """From every cell, and the leader that one comes to."""
    steps, at = np.zeros(len(words), np.int64), np.arange(len(words))
    while (is_member := words[at] >= MEMBER).any():
        steps += is_member
        at = np.where(is_member, words[at] & CELL, at)
    return steps, at


@pytest.mark.parametrize("side", [12, 48])
def test_a_move_changes_five_words_however_large_the_army_is(side: int) -> None:
    most_captured = 0
    positions = filled(MebiPennyOptions(side, side, 4), 3)
    before = words_of(next(positions))
    for position in positions:
        after = words_of(position)
        assert np.count_nonzero(before != after) <= MOST_WORDS
        most_captured = max(most_captured, len(position.captured))
        before = after
    assert most_captured > 2 * side  # far more than the words, and more on the larger board


@pytest.mark.parametrize("options", [MebiPennyOptions(s, s, 2, "0.1") for s in (6, 24, 48)])
def test_the_way_to_a_leader_is_as_long_as_its_army_has_doubled(options: MebiPennyOptions) -> None:
    farthest = 0
    for number, position in enumerate(filled(options, 5)):
        if number % 50 and position.to_act:
            continue
        words = words_of(position)
        steps, leaders = steps_to_leaders(words)
        claims = words >= LEADER
        sizes = words[leaders[claims]] & SIZE
        assert (2 ** steps[claims] <= sizes).all()
        farthest = max(farthest, int(steps.max()))
    assert farthest > 1


@pytest.mark.parametrize("options", [MebiPennyOptions(7, 9, 3, "0.2"), MebiPennyOptions(16, 16)])
def test_boards_are_filled(options: MebiPennyOptions) -> None:
    simulation = replace(GAME.simulation(options), play_random_turn=play_random_tile)
    states, plies = play_batch(simulation, game_seeds(1, 0, 5), 10**6)
    free = options.rows * options.cols - options.walls
    assert (states["over"] == 1).all()
    assert (states["score"].sum(axis=1) == free).all()
    assert (plies >= free).all()
