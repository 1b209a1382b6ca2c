"""Hive's contests: random play and perft, compiled against interpreted and against OpenSpiel."""

from __future__ import annotations

import tempfile
from random import Random
from typing import TYPE_CHECKING

from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.perft import FRAMES, perft
from agon.kernel import new_records
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds
from benchmarks.measure import Contest, Contestant
from benchmarks.random_play import compiled, interpreted, run_agon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.kernel import Record

CAP = 500
BATCH = 256
PEER = "hive(uses_mosquito=false,uses_ladybug=false,uses_pillbug=false)"


def hive_contests() -> Iterator[Contest]:
    """All contests of Hive, each on one core."""
    for variant in ("Base", "Base+MLP"):
        command = ("simulate", "hive", "--games", "4", "--threads", "1", "--variant", variant)
        rivals = [interpreted("plies", *command)]
        if variant == "Base":
            rivals[:0] = open_spiel_contestants()
        ours = compiled(GAME.simulation(HiveOptions(variant=variant)), BATCH, CAP)
        yield Contest(f"random play, {variant}", "plies", (ours, *rivals))
    for variant, depth in (("Base", 6), ("Base+MLP", 5)):
        ours = Contestant("Agon compiled", compiled_perft(variant, depth))
        less_deep = interpreted("nodes", "perft", "hive", "4", "--variant", variant)
        yield Contest(f"perft {depth}, {variant}", "nodes", (ours, less_deep))
    for variant in ("Base", "Base+MLP"):
        ours = Contestant("Agon compiled", mid_game_perft(variant))
        yield Contest(f"perft 3 after 40 random plies, {variant}", "nodes", (ours,))


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


def mid_game_perft(variant: str) -> Callable[[], int]:
    """Count from eight positions, the same ones every time."""
    simulation = GAME.simulation(HiveOptions(variant=variant))
    states, _ = play_batch(simulation, game_seeds(1, 0, 8), 40)
    counts = [perft_work(state, 3) for state in states]
    return lambda: sum(count() for count in counts)


def first_call_ns(clock: Callable[[], int]) -> tuple[int, int]:
    """How long a process takes that uses every kernel: right after an install, and from cache."""
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(2):
            begin = clock()
            run_agon("warm", "hive", AGON_CACHE=folder)
            times.append(clock() - begin)
    return times[0], times[1]
