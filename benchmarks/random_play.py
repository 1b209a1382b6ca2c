"""Random games as work to be measured: in compiled loops, and interpreted in another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from typing import TYPE_CHECKING

from agon.errors import AgonError
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from benchmarks.measure import Contestant

if TYPE_CHECKING:
    from agon.games.simulation import Simulation


def compiled(
    simulation: Simulation, batch: int, cap: int, name: str = "Agon compiled"
) -> Contestant:
    """Random games in compiled loops; new ones every time."""
    batches = count()

    def work() -> int:
        _, plies = play_batch(simulation, game_seeds(next(batches), 0, batch), cap)
        return int(plies.sum())

    return Contestant(name, work)


def interpreted(figure: str, *arguments: str) -> Contestant:
    """A figure of what an `agon ... --json` without the compiler says."""

    def work() -> int:
        figures: dict[str, int] = json.loads(run_agon(*arguments, "--json", AGON_JIT="0"))
        return figures[figure]

    return Contestant("Agon interpreted, with its start", work)


def run_agon(*arguments: str, **environment: str) -> str:
    """What an `agon` in a process of its own prints."""
    command = [sys.executable, "-m", "agon", *arguments]
    done = subprocess.run(  # noqa: S603
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise AgonError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout
