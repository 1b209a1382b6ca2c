"""Steps of training environments: ours against OpenSpiel, PettingZoo and, on a GPU, Pgx.

All count the same: a step plays an action by chance in one match, and then has the observation and
the legal actions of the next decision; matches that are over begin anew. Peers that are not here
take no part: `learn_peers.missing_peers` says which those are.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.registry import all_games
from agon.learn import BatchEnv
from agon.simulate.cuda import count_gpus
from benchmarks.learn_peers import (
    AEC_COUNTS,
    OPEN_SPIEL,
    OUR_PETTING_ZOO,
    OURS_ON_GPU,
    PETTING_ZOO,
    STEPS,
    classic_games,
    missing_pgx,
    open_spiel,
    pgx_contests,
    through_pettingzoo,
)
from benchmarks.measure import Contest, Contestant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.learn_peers import Work

BATCH = 512
GPU_BATCHES = {"skyport": 1 << 21, "mebipenny": 1 << 20}
GPU_BATCH = 1 << 18
COUNTS = "step_nth of one match; with the observation and all legal actions of its next decision"


def learn_contests() -> Iterator[Contest]:
    """On one core each game by itself; then Hive against OpenSpiel, and through PettingZoo."""
    for game in all_games():
        rivals = [open_spiel()] if game.name == "hive" and not OPEN_SPIEL.missing else []
        work = batch_on_a_core(BatchEnv(game, BATCH))
        ours = Contestant(f"Agon, {BATCH} matches", work, COUNTS)
        yield Contest(f"{game.title}, one core", "steps", (ours, *rivals))
    if not OUR_PETTING_ZOO.missing:
        hive: Any = import_module("agon.learn.pettingzoo").env("hive")
        ours = Contestant("Agon's Hive", through_pettingzoo(hive), AEC_COUNTS)
        rivals = [] if PETTING_ZOO.missing else [*classic_games()]
        yield Contest("PettingZoo, agents take turns", "steps", (ours, *rivals))
    if count_gpus():
        yield from gpu_contests()


def batch_on_a_core(env: BatchEnv) -> Work:
    rng = np.random.default_rng(1)

    def work() -> int:
        for _ in range(STEPS):
            env.step_nth((rng.random(env.counts.shape) * env.counts).astype(np.int64))
        return STEPS * env.matches

    return work


def gpu_contests() -> Iterator[Contest]:
    """Each game on the GPU, then Pgx's own games."""
    if not OURS_ON_GPU.missing:
        for game in all_games():
            matches = GPU_BATCHES.get(game.name, GPU_BATCH)
            work = batch_on_gpu(BatchEnv(game, matches, "cuda"))
            ours = Contestant(f"Agon, {matches:,} matches", work, COUNTS)
            yield Contest(f"{game.title}, one GPU", "steps", (ours,))
    if not missing_pgx():
        yield from pgx_contests()


def batch_on_gpu(env: BatchEnv) -> Work:
    torch: Any = import_module("torch")
    counts = torch.as_tensor(env.counts, device="cuda")

    def work() -> int:
        for _ in range(STEPS):
            env.step_nth((torch.rand(counts.shape, device="cuda") * counts).to(torch.int64))
        torch.cuda.synchronize()
        return STEPS * env.matches

    return work
