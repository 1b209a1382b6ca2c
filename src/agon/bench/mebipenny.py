"""MebiPenny's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it without a network. The plain one, a dictionary of claims and
flood fills, is the slow referee of the tests; it takes part if Agon runs from a checkout, for tests
are not installed. A last contest is between sizes of the board: a move is to cost the same on all.
"""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import agon
from agon.bench.hive import run_agon
from agon.bench.measure import Contest, Contestant
from agon.games.bot import Budget
from agon.games.mebipenny.filling import play_random_tile
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.games.simulation import Simulation

CAP = 500
BATCH = 64
SIDES = (16, 32, 64, 128, 256)
PIECE = 1 << 16  # cells of the boards that are played in one piece of work
CHECKOUT = Path(agon.__file__).parents[2]
REFEREE = Path("tests/games/mebipenny/naive.py")
USUAL = MebiPennyOptions(seats=2)
LARGE = MebiPennyOptions(40, 40, 4, "0.15")


def mebipenny_contests(checkout: Path = CHECKOUT) -> Iterator[Contest]:
    """All contests of MebiPenny, each on one core."""
    for options in (USUAL, LARGE):
        rivals = plain_contestants(options, checkout)
        if options == USUAL:
            interpreted = interpreted_plies(options)
            rivals.append(Contestant("Agon interpreted, with its start", interpreted))
        ours = Contestant("Agon compiled", compiled_plies(GAME.simulation(options)))
        title = f"random play, {options.rows} by {options.cols} for {options.seats}"
        yield Contest(title, "plies", (ours, *rivals))
    sizes = tuple(Contestant(f"{side} by {side}", filled_boards(side)) for side in SIDES)
    yield Contest("random play until the board is full", "plies", sizes)


def filled_boards(side: int) -> Callable[[], int]:
    """Random games on a square board in which nobody passes; as many as make a piece of work."""
    simulation = GAME.simulation(MebiPennyOptions(side, side, 2))
    filling = replace(simulation, play_random_turn=play_random_tile)
    return compiled_plies(filling, PIECE // (side * side), 2 * side * side)


def compiled_plies(simulation: Simulation, batch: int = BATCH, cap: int = CAP) -> Callable[[], int]:
    """Random games in compiled loops; new ones every time."""
    batches = iter(range(10**9))

    def work() -> int:
        _, plies = play_batch(simulation, game_seeds(next(batches), 0, batch), cap)
        return int(plies.sum())

    return work


def interpreted_plies(options: MebiPennyOptions) -> Callable[[], int]:
    """The same functions without the compiler, in a process of their own."""
    given = {"rows": options.rows, "cols": options.cols, "seats": options.seats}
    flags = [word for name in given for word in ("--option", f"{name}={given[name]}")]
    command = ("simulate", "mebipenny", "--games", "10", "--threads", "1", "--cap", "300")
    return lambda: run_agon(*command, *flags)["plies"]


def missing_referee(checkout: Path = CHECKOUT) -> str | None:
    """Why the plain implementation does not take part, if it does not."""
    if (checkout / REFEREE).is_file():
        return None
    return f"plain Python takes no part: there is no {REFEREE} in {checkout}"


def plain_contestants(options: MebiPennyOptions, checkout: Path) -> list[Contestant]:
    """The tests' own implementation, if it is there."""
    if missing_referee(checkout):
        return []
    start: Any = runpy.run_path(str(checkout / REFEREE))["NaiveMebiPenny"]
    rng = Random(1)  # noqa: S311

    def work() -> int:
        seed = rng.getrandbits(64)
        match = start(options.rows, options.cols, options.seats, options.seed_coverage, seed)
        turns = 0
        while turns < CAP and not match.is_over():
            match.play(rng.choice([*match.legal_moves()]))
            turns += 1
        return turns

    return [Contestant("plain Python with dictionaries", work)]


def touch_every_kernel() -> None:
    """Call everything that is compiled for MebiPenny once."""
    compiled_plies(GAME.simulation(USUAL))()
    position = GAME.start(USUAL)
    position = position.play({0: position.random_turn(0, Random(1))})  # noqa: S311
    position.observe(1)
    position.redeal(1, 1)
    for name in GAME.bots():
        GAME.bot(name, 0).choose(position, 1, Budget(depth=1))
