"""MebiPenny's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it without a network. The plain one, a dictionary of claims and
flood fills, is the slow referee of the tests. A last contest is between sizes of the board: a move
is to cost the same on all.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from agon.games.mebipenny.filling import play_random_tile
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from benchmarks.measure import Contest, Contestant
from benchmarks.random_play import compiled, interpreted
from tests.games.mebipenny.naive import NaiveMebiPenny

if TYPE_CHECKING:
    from collections.abc import Iterator

CAP = 500
BATCH = 64
SIDES = (16, 32, 64, 128, 256)
PIECE = 1 << 16  # cells of the boards that are played in one piece of work
USUAL = MebiPennyOptions(seats=2)
LARGE = MebiPennyOptions(40, 40, 4, "0.15")


def mebipenny_contests() -> Iterator[Contest]:
    """All contests of MebiPenny, each on one core."""
    for options in (USUAL, LARGE):
        rivals = [plain(options)]
        if options == USUAL:
            command = ("simulate", "mebipenny", "--games", "10", "--threads", "1", "--cap", "300")
            rivals.append(interpreted("plies", *command, "--option", f"seats={options.seats}"))
        ours = compiled(GAME.simulation(options), BATCH, CAP)
        title = f"random play, {options.rows} by {options.cols} for {options.seats}"
        yield Contest(title, "plies", (ours, *rivals))
    sizes = tuple(filled_boards(side) for side in SIDES)
    yield Contest("random play until the board is full", "plies", sizes)


def filled_boards(side: int) -> Contestant:
    """Random games on a square board in which no player passes; as many as make a piece of work."""
    simulation = GAME.simulation(MebiPennyOptions(side, side, 2))
    filling = replace(simulation, play_random_turn=play_random_tile)
    return compiled(filling, PIECE // (side * side), 2 * side * side, f"{side} by {side}")


def plain(options: MebiPennyOptions) -> Contestant:
    """The tests' own implementation."""
    rng = Random(1)  # noqa: S311

    def work() -> int:
        seed = rng.getrandbits(64)
        match = NaiveMebiPenny(
            options.rows, options.cols, options.seats, options.seed_coverage, seed
        )
        turns = 0
        while turns < CAP and not match.is_over():
            match.play(rng.choice([*match.legal_moves()]))
            turns += 1
        return turns

    return Contestant("plain Python with dictionaries", work)
