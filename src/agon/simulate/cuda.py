"""Simulation on an NVIDIA GPU: the same rules functions, one game per thread.

Each thread plays a game in its local memory, turn by turn, and then takes the next one. To begin a
game takes as long as several turns, and the 32 threads of a warp wait for each other: so a thread
whose game is over waits until some others of its warp are there, and they begin together.
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
    from agon.kernel import IntArray

THREADS_PER_BLOCK = 64
BATCH = 1 << 20
BATCH_BYTES = 1 << 30
"""A batch has no more than so many bytes of final states: a checksum needs them all at once."""
WARP = 0xFFFFFFFF


class GpuSimulation:
    """A simulation that is compiled for the GPU, with its memory there. Not for several threads."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._cuda = cuda = load_cuda()
        # a few games leave most of the GPU idle; that is the caller's choice
        warnings.filterwarnings("ignore", message=".*Grid size.*")
        self._kernel = compile_for_gpu(cuda, simulation)
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        self._blocks = simulation.on_gpu.blocks * processors
        self._setup = cuda.to_device(np.asarray(simulation.setup))
        self._works = cuda.to_device(np.zeros(self._blocks * THREADS_PER_BLOCK, simulation.work))
        self._launch(game_seeds(0, 0, 1), 1, 0)  # compiles

    def play(
        self,
        games: int,
        seed: int,
        cap: int,
        checksum: bool,
        clock: Callable[[], int],
        on_progress: Callable[[int], None] = lambda done: None,
        first: int = 0,
    ) -> tuple[Tally, int]:
        """Play as `simulate_on_cores` does: the final records are equal bit by bit.

        Also returns how many nanoseconds the games took, without copying the records back from the
        device.
        """
        batch = min(games, max(1, BATCH_BYTES // self._simulation.state.itemsize), BATCH)
        tally = Tally.for_simulation(self._simulation, checksum)
        elapsed = 0
        for start in range(first, first + games, batch):
            count = min(batch, first + games - start)
            seeds = game_seeds(seed, start, count)
            begin = clock()
            played = self._launch(seeds, cap, count if checksum else 0)
            elapsed += clock() - begin
            scores, plies, states = (array.copy_to_host() for array in played)
            tally.add(scores, plies, states.view(np.recarray))
            on_progress(count)
        return tally, elapsed

    def _launch(self, seeds: IntArray, cap: int, kept: int) -> tuple[Any, Any, Any]:
        """Play; scores and plies of all games, and the final states of the first ones."""
        cuda, games = self._cuda, len(seeds)
        scores = cuda.to_device(np.full((games, self._simulation.seats), -1, np.int64))
        plies = cuda.device_array(games, np.int64)
        states = cuda.device_array(kept, self._simulation.state)
        launch = self._kernel[min(self._blocks, -(-games // THREADS_PER_BLOCK)), THREADS_PER_BLOCK]
        given = cuda.to_device(seeds), cap, cuda.to_device(np.zeros(1, np.int64))
        launch(self._setup, self._works, *given, scores, plies, states)
        cuda.synchronize()
        return scores, plies, states


def count_gpus() -> int:
    """The GPUs of this machine that `GpuSimulation` can use."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba-cuda's own, when it is loaded
        try:
            return len(load_cuda().gpus)
        except MissingPartError:
            return 0


def load_cuda() -> Any:
    """The CUDA compiler, if it and a device are there; otherwise one clear line."""
    if not JIT:
        raise MissingPartError("device cuda needs the compiler: unset AGON_JIT=0")
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda looks for it
    cuda: Any = import_module("numba.cuda")
    if cuda.is_available():
        return cuda
    if find_spec("numba_cuda") is None:
        raise MissingPartError("device cuda needs numba-cuda: install agon[gpu], or use device cpu")
    raise MissingPartError("device cuda: no CUDA device or driver was found here; use device cpu")


def compile_for_gpu(cuda: Any, simulation: Simulation) -> Any:
    """The GPU kernel that plays one game after another in each thread."""
    import numba

    state_type = numba.from_dtype(simulation.state)
    start, is_over = simulation.start, simulation.is_over
    play_random_turn, score_game = simulation.play_random_turn, simulation.score_game
    together = simulation.on_gpu.together

    @cuda.jit(max_registers=simulation.on_gpu.registers)  # type: ignore[untyped-decorator]
    def play_games(
        setup: Any,
        works: Any,
        seeds: Any,
        cap: int,
        next_game: Any,
        scores: Any,
        plies: Any,
        states: Any,
    ) -> None:
        local = cuda.local.array(1, state_type)
        state = local[0]
        work = works[cuda.grid(1)]
        games = seeds.shape[0]
        game = -1
        played = 0
        waits = True
        while True:
            active = cuda.ballot_sync(WARP, game < games)
            waiting = cuda.ballot_sync(WARP, waits and game < games)
            if active == 0:
                return
            if waits and game < games and (waiting == active or cuda.popc(waiting) >= together):
                if game >= 0:
                    plies[game] = played
                    score_game(setup[0], state, scores[game])
                    if game < states.shape[0]:
                        states[game] = state
                game = cuda.atomic.add(next_game, 0, 1)
                if game < games:
                    start(setup[0], state, seeds[game])
                    played = 0
                    waits = is_over(setup[0], state)
            if not waits:
                play_random_turn(setup[0], state, work)
                played += 1
                waits = played >= cap or is_over(setup[0], state)

    return play_games
