"""The compiled rules and the naive ones, side by side, through 500 random games.

Boards of all shapes from 1 x 1 up, two to four seats, with and without walls. After every turn both
must agree on all that can be seen. A failure names the match in our notation.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS, Move
from tests.games.mebipenny.naive import NaiveMebiPenny, NaiveMove

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

SIDES = (1, 2, 3, 4, 5, 6, 8, 11)
COVERAGES = ("0", "0", "0.1", "0.2", "0.35", "0.5", "0.9", "1")
BATCH = 50


def as_naive(position: MebiPennyPosition, move: Move) -> NaiveMove:
    if move == PASS:
        return None
    return position.tile_of(move), position.favoured_by(move)


def compare(position: MebiPennyPosition, naive: NaiveMebiPenny) -> None:
    """Everything that can be seen of the position is the same."""
    moves = [as_naive(position, move) for move in position.moves]
    assert len(moves) == len(set(moves))
    assert set(moves) == naive.legal_moves()
    assert (position.outcome is not None) == naive.is_over()
    assert position.next_seat == naive.mover
    assert position.scores == tuple(naive.scores())
    assert [list(hand) for hand in position.hands] == naive.hands
    assert position.draw_size == len(naive.pile)
    claims = {claim.tile: claim.owner for claim in position.claims()}
    assert claims == {**naive.owners, **dict.fromkeys(naive.walls)}


def choose(position: MebiPennyPosition, rng: Random) -> Move:
    """Any legal move; more ties and fewer passes than by chance, so that boards fill."""
    tiles = [move for move in position.moves if move != PASS]
    if not tiles or rng.random() < 0.03:
        return PASS
    ties = [move for move in tiles if position.favoured_by(move) != position.next_seat]
    return rng.choice(ties if ties and rng.random() < 0.3 else tiles)


def play_side_by_side(options: MebiPennyOptions, seed: int) -> int:
    """Play a match to its end, comparing all the way. Returns how many turns it had."""
    rng = Random(f"{options} {seed}")  # noqa: S311 - chance, not secrets
    positions = [GAME.start(options, seed)]
    naive = NaiveMebiPenny(options.rows, options.cols, options.seats, options.seed_coverage, seed)
    try:
        compare(positions[-1], naive)
        while not positions[-1].outcome:
            move = choose(positions[-1], rng)
            naive.play(as_naive(positions[-1], move))
            positions.append(positions[-1].play_move(move))
            compare(positions[-1], naive)
    except AssertionError as error:
        raise AssertionError(f"{GAME.format_match(positions)}: {error}") from error
    assert all(before.turn + 1 == after.turn for before, after in pairwise(positions))
    return len(positions) - 1


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10))
def test_random_games_agree(batch: int) -> None:
    rng = Random(batch)  # noqa: S311
    turns = 0
    for number in range(BATCH):
        coverage = rng.choice(COVERAGES)
        options = MebiPennyOptions(rng.choice(SIDES), rng.choice(SIDES), 2 + number % 3, coverage)
        turns += play_side_by_side(options, rng.getrandbits(64))
    assert turns > 5 * BATCH


@pytest.mark.long
@pytest.mark.parametrize("shape", [(20, 20, 4, "0.1"), (25, 24, 3, "0.02"), (256, 2, 2, "0.2")])
def test_larger_games_agree(shape: tuple[int, int, int, str]) -> None:
    assert play_side_by_side(MebiPennyOptions(*shape), seed=2**64 - 2) > 100
