"""Simulation on an NVIDIA GPU: the same rules functions, one game per thread.

Each thread copies one record into its local memory, plays it ply by ply, writes it back and takes
the next game, so that threads of one warp stay together in the loop over plies.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import MissingPartError
from agon.kernel import JIT
from agon.simulate.tally import Tally, game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.simulation import Simulation

THREADS_PER_BLOCK = 64
BLOCKS_PER_MULTIPROCESSOR = 8
REGISTERS = 64
BATCH = 1 << 18


def simulate_on_gpu(
    simulation: Simulation,
    games: int,
    seed: int,
    cap: int,
    checksum: bool,
    on_progress: Callable[[int], None],
    clock: Callable[[], int],
) -> tuple[Tally, int]:
    """Play as `simulate_on_cores` does: the final records are equal bit by bit.

    Also returns how many nanoseconds the games took, without compilation and without copying the
    records back from the device.
    """
    cuda = load_cuda()
    # a few games leave most of the GPU idle; that is the caller's choice
    warnings.filterwarnings("ignore", message=".*Grid size.*")
    kernel = compile_for_gpu(cuda, simulation)
    device = cuda.get_current_device()
    blocks = min(
        BLOCKS_PER_MULTIPROCESSOR * device.MULTIPROCESSOR_COUNT, -(-games // THREADS_PER_BLOCK)
    )
    launch = kernel[blocks, THREADS_PER_BLOCK]
    setup = cuda.to_device(np.asarray(simulation.setup))
    works = cuda.to_device(np.zeros(blocks * THREADS_PER_BLOCK, simulation.work))
    batch = min(BATCH, games)
    states = cuda.device_array(batch, simulation.state)
    plies = cuda.device_array(batch, np.int64)
    launch(setup, states, works, cuda.to_device(game_seeds(seed, 0, 1)), 1, plies)  # compiles
    tally = Tally.for_simulation(simulation, checksum)
    elapsed = 0
    for first in range(0, games, batch):
        count = min(batch, games - first)
        seeds = cuda.to_device(game_seeds(seed, first, count))
        cuda.synchronize()
        begin = clock()
        launch(setup, states, works, seeds, cap, plies)
        cuda.synchronize()
        elapsed += clock() - begin
        final = states[:count].copy_to_host().view(np.recarray)
        tally.add(simulation, final, plies[:count].copy_to_host())
        on_progress(count)
    return tally, elapsed


def load_cuda() -> Any:
    """The CUDA compiler, if it and a device are there; otherwise one clear line."""
    if not JIT:
        raise MissingPartError("--device cuda needs the compiler: unset AGON_JIT=0")
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda looks for it
    cuda: Any = import_module("numba.cuda")
    if cuda.is_available():
        return cuda
    if find_spec("numba_cuda") is None:
        raise MissingPartError(
            "--device cuda needs numba-cuda: install agon[gpu], or use --device cpu"
        )
    raise MissingPartError(
        "--device cuda: no CUDA device or driver was found here; use --device cpu"
    )


def compile_for_gpu(cuda: Any, simulation: Simulation) -> Any:
    """The GPU kernel that plays one game after another in each thread."""
    import numba

    state_type = numba.from_dtype(simulation.state)
    start = simulation.start
    is_over = simulation.is_over
    play_random_turn = simulation.play_random_turn

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def play_games(setup: Any, states: Any, works: Any, seeds: Any, cap: int, plies: Any) -> None:
        local = cuda.local.array(1, state_type)
        state = local[0]
        thread = cuda.grid(1)
        work = works[thread]
        game = thread
        played = -1
        while game < seeds.shape[0]:
            if played < 0:
                start(setup[0], state, seeds[game])
                played = 0
            if played < cap and not is_over(setup[0], state):
                play_random_turn(setup[0], state, work)
                played += 1
            else:
                states[game] = state
                plies[game] = played
                played = -1
                game += cuda.gridsize(1)

    return play_games
