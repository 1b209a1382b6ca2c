"""Skyport's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it without a network. The plain one, a dictionary of tiles and
an object for each robot, is the slow referee of the tests; it takes part if Agon runs from a
checkout, for tests are not installed.
"""

from __future__ import annotations

import runpy
from itertools import permutations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import agon
from agon.bench.hive import run_agon
from agon.bench.measure import Contest, Contestant
from agon.games.bot import Budget
from agon.games.skyport.action import WEAPONS
from agon.games.skyport.game import GAME, SkyportOptions
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CAP = 2000
BATCH = 32
CHECKOUT = Path(agon.__file__).parents[2]
REFEREE = Path("tests/games/skyport/naive.py")
USUAL = SkyportOptions(map="two")
LARGE = SkyportOptions(map="eight")


def skyport_contests(checkout: Path = CHECKOUT) -> Iterator[Contest]:
    """All contests of Skyport, each on one core."""
    for options in (USUAL, LARGE):
        rivals = plain_contestants(options, checkout)
        if options == USUAL:
            interpreted = interpreted_plies(options)
            rivals.append(Contestant("Agon interpreted, with its start", interpreted))
        ours = Contestant("Agon compiled", compiled_plies(options))
        field = options.find_map(None)
        title = f"random play, {field.side} by {field.side} for {field.seats}"
        yield Contest(title, "plies", (ours, *rivals))


def compiled_plies(options: SkyportOptions) -> Callable[[], int]:
    """Random games in compiled loops; new ones every time."""
    simulation = GAME.simulation(options)
    batches = iter(range(10**9))

    def work() -> int:
        _, plies = play_batch(simulation, game_seeds(next(batches), 0, BATCH), CAP)
        return int(plies.sum())

    return work


def interpreted_plies(options: SkyportOptions) -> Callable[[], int]:
    """The same functions without the compiler, in a process of their own."""
    flags = ("--option", f"map={options.map}", "--option", f"turns={options.turns}")
    command = ("simulate", "skyport", "--games", "10", "--threads", "1", "--cap", "300")
    return lambda: run_agon(*command, *flags)["plies"]


def missing_referee(checkout: Path = CHECKOUT) -> str | None:
    """Why the plain implementation does not take part, if it does not."""
    if (checkout / REFEREE).is_file():
        return None
    return f"plain Python takes no part: there is no {REFEREE} in {checkout}"


def plain_contestants(options: SkyportOptions, checkout: Path) -> list[Contestant]:
    """The tests' own implementation, if it is there."""
    if missing_referee(checkout):
        return []
    start: Any = runpy.run_path(str(checkout / REFEREE))["NaiveSkyport"]
    field = options.find_map(None)
    loadouts = [*permutations(WEAPONS, 2)]
    rng = Random(1)  # noqa: S311

    def work() -> int:
        order = rng.sample(range(field.seats), field.seats)
        match = start(field.rows, order, options.turns)
        match.choose_loadouts(rng.choices(loadouts, k=field.seats))
        turns = 1  # the loadouts, which are one ply of ours too
        while turns < CAP and not match.is_over:
            match.take_random_turn(rng)
            turns += 1
        return turns

    return [Contestant("plain Python with dictionaries", work)]


def touch_every_kernel() -> None:
    """Call everything that is compiled for Skyport once."""
    compiled_plies(USUAL)()
    rng = Random(1)  # noqa: S311
    position = GAME.start(USUAL)
    position = position.play({seat: position.random_turn(seat, rng) for seat in position.to_act})
    (seat,) = position.to_act
    turns = {seat: position.random_turn(seat, rng)}
    position.legal_moves(seat)
    position.stages(turns)
    for name in GAME.bots():
        GAME.bot(name, 0).choose(position, seat, Budget(depth=1))
