"""Hive's contests: random play and perft, compiled against interpreted and against OpenSpiel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from random import Random
from typing import TYPE_CHECKING

from agon.bench.measure import Contest, Contestant
from agon.errors import AgonError
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.perft import FRAMES, perft
from agon.kernel import new_records
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.kernel import Record

CAP = 500
PEER = "hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)"


def hive_contests() -> Iterator[Contest]:
    """All contests of Hive, each on one core."""
    for variant in ("Base", "Base+MLP"):
        rivals = [Contestant("Agon interpreted, with its start", interpreted_plies(variant))]
        if variant == "Base":
            rivals[:0] = open_spiel_contestants()
        ours = Contestant("Agon compiled", compiled_plies(variant))
        yield Contest(f"random play, {variant}", "plies", (ours, *rivals))
    for variant, depth in (("Base", 6), ("Base+MLP", 5)):
        ours = Contestant("Agon compiled", compiled_perft(variant, depth))
        rival = Contestant("Agon interpreted, with its start", interpreted_perft(variant))
        yield Contest(f"perft {depth}, {variant}", "nodes", (ours, rival))
    for variant in ("Base", "Base+MLP"):
        ours = Contestant("Agon compiled", mid_game_perft(variant))
        yield Contest(f"perft 3 after 40 random plies, {variant}", "nodes", (ours,))


def compiled_plies(variant: str) -> Callable[[], int]:
    """Random games in compiled loops; new ones every time."""
    simulation = GAME.simulation(HiveOptions(variant=variant))
    batches = iter(range(10**9))

    def work() -> int:
        _, plies = play_batch(simulation, game_seeds(next(batches), 0, 256), CAP)
        return int(plies.sum())

    return work


def interpreted_plies(variant: str) -> Callable[[], int]:
    """The same functions without the compiler, in a process of their own."""

    def work() -> int:
        figures = run_agon(
            "simulate", "hive", "--games", "4", "--threads", "1", "--variant", variant
        )
        return figures["plies"]

    return work


def open_spiel_contestants() -> list[Contestant]:
    """OpenSpiel's Hive as called from Python, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game(PEER)
    rng = Random(1)  # noqa: S311

    def work() -> int:
        plies = 0
        state = game.new_initial_state()
        while plies < CAP and not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return [Contestant("OpenSpiel from Python", work)]


def perft_work(state: Record, depth: int) -> Callable[[], int]:
    """Count from this state."""
    simulation = GAME.simulation()
    work_record = new_records(simulation.work)[0]
    frames = new_records(FRAMES)[0]
    return lambda: int(perft(state, work_record, frames, depth))


def compiled_perft(variant: str, depth: int) -> Callable[[], int]:
    """Count from the start."""
    return perft_work(GAME.start(HiveOptions(variant=variant)).copy_state(), depth)


def interpreted_perft(variant: str) -> Callable[[], int]:
    """The same, less deep, without the compiler."""
    return lambda: run_agon("perft", "hive", "4", "--variant", variant)["nodes"]


def mid_game_perft(variant: str) -> Callable[[], int]:
    """Count from eight positions, the same ones every time."""
    simulation = GAME.simulation(HiveOptions(variant=variant))
    states, _ = play_batch(simulation, game_seeds(1, 0, 8), 40)
    counts = [perft_work(state, 3) for state in states]
    return lambda: sum(count() for count in counts)


def run_agon(*arguments: str) -> dict[str, int]:
    """What an interpreted `agon ... --json` says."""
    return json.loads(run(*arguments, "--json", environment={"AGON_JIT": "0"}))  # type: ignore[no-any-return]


def run(*arguments: str, environment: dict[str, str]) -> str:
    """Run a process of our own and give what it prints."""
    command = [sys.executable, "-m", "agon", *arguments]
    done = subprocess.run(  # noqa: S603
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise AgonError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def first_call_ns(clock: Callable[[], int]) -> tuple[int, int]:
    """How long a process takes that uses every kernel: right after an install, and from cache."""
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(2):
            begin = clock()
            run("bench", "--touch", "hive", environment={"AGON_CACHE": folder})
            times.append(clock() - begin)
    return times[0], times[1]


def touch_every_kernel() -> None:
    """Call everything that is compiled for Hive once."""
    compiled_plies("Base")()
    compiled_perft("Base", 1)()
    position = GAME.start()
    from agon.games.bot import Budget

    for name in GAME.bots():
        GAME.bot(name, 0).choose(position, 0, Budget(depth=1))
