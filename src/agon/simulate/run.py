"""`agon.simulate`: many random games at once, for Python programs and notebooks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.registry import find_game
from agon.simulate.cores import simulate_on_cores
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from agon.games.game import Game, Options
    from agon.simulate.tally import Tally


def simulate(
    game: Game | str,
    games: int = 1000,
    *,
    options: Options | None = None,
    seed: int = 0,
    cap: int = 500,
    threads: int | None = None,
    device: str = "cpu",
    checksum: bool = False,
) -> Tally:
    """Play games of uniformly random legal turns, each to its end or for `cap` turns.

    The same seed gives the same games on any number of threads (None: all cores) and on a GPU
    (`device="cuda"`).
    """
    chosen = find_game(game)
    for name, number in (("games", games), ("cap", cap), ("threads", threads)):
        if number is not None and number < 1:
            raise SettingError(f"{name} {number}: expected 1 or more")
    simulation = chosen.simulation(options)
    if device == "cpu":
        workers = available_cores() if threads is None else threads
        return simulate_on_cores(simulation, games, seed, cap, workers, checksum)
    if device == "cuda":
        from agon.simulate.cuda import GpuSimulation

        tally, _ = GpuSimulation(simulation).play(games, seed, cap, checksum, time.perf_counter_ns)
        return tally
    raise SettingError(f"device {device!r}: expected cpu or cuda")
