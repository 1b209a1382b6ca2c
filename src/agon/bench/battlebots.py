"""Battlebots' contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays by these rules. The plain one, armies as objects, is the slow
referee of the tests; it takes part if Agon runs from a checkout, for tests are not installed.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import agon
from agon.bench.hive import run_agon
from agon.bench.measure import Contest, Contestant
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.maps import make_map
from agon.games.battlebots.simulation import make_simulation
from agon.games.bot import Budget
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.games.battlebots.field import Field

CAP = 500
BATCH = 16
USUAL_SEATS = 2
CHECKOUT = Path(agon.__file__).parents[2]
REFEREE = Path("tests/games/battlebots/naive.py")


def battlebots_contests(checkout: Path = CHECKOUT) -> Iterator[Contest]:
    """All contests of Battlebots, each on one core; a turn of all players is one."""
    for players in (USUAL_SEATS, 8):
        field = make_map("random", 2, 4, 14) if players == USUAL_SEATS else make_map("fair", 8, 0)
        rivals = plain_contestants(field, checkout)
        if players == USUAL_SEATS:
            rivals.append(Contestant("Agon interpreted, with its start", interpreted_turns()))
        ours = Contestant("Agon compiled", compiled_turns(field))
        title = f"random play, {len(field.forts)} forts, {len(field.roads)} roads for {players}"
        yield Contest(title, "turns", (ours, *rivals))


def compiled_turns(field: Field) -> Callable[[], int]:
    """Random games in compiled loops; new ones every time."""
    simulation = make_simulation(BattlebotsOptions(), Layout(field))
    batches = iter(range(10**9))

    def work() -> int:
        _, turns = play_batch(simulation, game_seeds(next(batches), 0, BATCH), CAP)
        return int(turns.sum())

    return work


def interpreted_turns() -> Callable[[], int]:
    """The same functions without the compiler, in a process of their own."""
    command = ("simulate", "battlebots", "--games", "3", "--threads", "1", "--cap", "100")
    return lambda: run_agon(*command)["plies"]


def missing_referee(checkout: Path = CHECKOUT) -> str | None:
    """Why the plain implementation does not take part, if it does not."""
    if (checkout / REFEREE).is_file():
        return None
    return f"plain Python takes no part: there is no {REFEREE} in {checkout}"


def plain_contestants(field: Field, checkout: Path) -> list[Contestant]:
    """The tests' own implementation, if it is there."""
    if missing_referee(checkout):
        return []
    start: Any = runpy.run_path(str(checkout / REFEREE))["NaiveBattlebots"]
    forts = {fort.name: fort[1:] for fort in field.forts}
    rng = Random(1)  # noqa: S311

    def work() -> int:
        match = start(forts, field.roads, field.marches, turn_limit=CAP)
        while not match.is_over():
            match.play({player: match.random_orders(player, rng) for player in match.still_in()})
        return int(match.turn)

    return [Contestant("plain Python with objects", work)]


def touch_every_kernel() -> None:
    """Call everything that is compiled for Battlebots once."""
    compiled_turns(make_map("fair", USUAL_SEATS, 0))()
    position = GAME.start()
    chance = Random(1)  # noqa: S311
    turns = {seat: position.random_turn(seat, chance) for seat in position.to_act}
    position.stages(turns)
    for name in GAME.bots():
        GAME.bot(name, 0).choose(position, 0, Budget(depth=1))
