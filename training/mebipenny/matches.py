"""Many matches at once, on a GPU or on cores, in which built-in bots may have some of the seats."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from agon.games.mebipenny import search as engine
from agon.games.mebipenny.board import SEATS, WORK
from agon.games.mebipenny.greedy import greedy_move
from agon.games.mebipenny.learning import PASS_ACTION
from agon.games.mebipenny.rules import PASS, favoured_by, tile_of
from agon.games.mebipenny.view import CELL_NUMBERS, NUMBERS, see
from agon.kernel import IntArray, Record, as_int, kernel, new_array
from agon.learn import BatchEnv
from agon.simulate.cuda import load_cuda

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.mebipenny.game import MebiPennyOptions

THREADS, MOST_BLOCKS, REGISTERS = 64, 2048, 64


class Sight(NamedTuple):
    """What the seats that decide see, a row for each match."""

    seats: Any
    seen: Any
    """As `view.see` writes it."""
    hand: Any
    """The cells of the tiles in hand; 0 where there is none."""
    legal: Any
    """Whether each action is legal."""

    def of(self, which: Any) -> Sight:
        """The same of some of the matches."""
        return Sight(*(one[which] for one in self))


class Matches:
    """A batch of matches of two seats. In every other match bots have the first seat."""

    def __init__(self, options: MebiPennyOptions, count: int, device: str, seed: int) -> None:
        self.env = BatchEnv("mebipenny", count, device, options=options, seed=seed, masks=True)
        self.count, self.device, self.shape = count, device, (options.rows, options.cols)
        self.cells = options.rows * options.cols
        self.width = self.cells * CELL_NUMBERS + NUMBERS
        self.bot_seats = torch.arange(count, device=device) % 2
        self.rewards, self.ends = self._shown(self.env.rewards), self._shown(self.env.ends)
        self._masks, self._to_act = self._shown(self.env.masks), self._shown(self.env.to_act)
        self._hand = self._shown(self.env.part("hand"))
        self._blocks = min(MOST_BLOCKS, -(-count // THREADS))
        self._setup = self._records(np.asarray(self.env.learning.setup))
        threads = self._blocks * THREADS if self.on_gpu else 1
        kinds = WORK, self.env.learning.state, self.env.learning.state, engine.SEARCH
        self._scratch = Scratch(*(self._records(np.zeros(threads, kind)) for kind in kinds))

    @property
    def on_gpu(self) -> bool:
        return self.device == "cuda"

    def see(self, seen: Any = None) -> Sight:
        """What the seats that decide see now; what is written is kept in `seen`, if it is given."""
        if seen is None:
            seen = torch.empty((self.count, self.width), dtype=torch.int16, device=self.device)
        seats = self._to_act.long()
        self._run(see_one, seats, 0, self.count, seen)
        return Sight(seats, seen, self._hand.long().clamp(min=0), self._masks.bool())

    def choose_greedily(self, sight: Sight, first: int, last: int, actions: Any) -> None:
        """Write what `greedy` chooses in these matches, where it is the bot's turn."""
        self._run(choose_greedily, self._turns_of_bots(sight), first, last, actions[:, None])

    def search(self, sight: Sight, first: int, last: int, actions: Any, worlds: int) -> None:
        """The same for Monte Carlo, in so many worlds."""
        self._run(search, self._turns_of_bots(sight), first, last, actions[:, None], worlds)

    def _turns_of_bots(self, sight: Sight) -> Any:
        return torch.where(sight.seats == self.bot_seats, sight.seats, -1)

    def _run(self, one: Any, seats: Any, first: int, last: int, rows: Any, worlds: int = 0) -> None:
        """Run a kernel for one match, for those from the first to before the last."""
        if first == last:
            return
        loop = for_all(one, self.on_gpu)
        if self.on_gpu:
            loop = loop[min(self._blocks, -(-(last - first) // THREADS)), THREADS]
            seats, rows = map(load_cuda().as_cuda_array, (seats, rows))
        else:
            seats, rows = seats.numpy(), rows.numpy()
        loop(self._setup, self.env.states, self._scratch, seats, first, last, rows, worlds)

    def _shown(self, array: Any) -> Any:
        """A tensor in the same memory."""
        return torch.as_tensor(array, device=self.device)

    def _records(self, values: IntArray) -> Any:
        """The records, where kernels take them."""
        if self.on_gpu:
            return load_cuda().to_device(values)
        records = new_array(values.dtype, len(values))
        records[:] = values
        return records


# --- kernels for one match ------------------------------------------------------------------------


class Scratch(NamedTuple):
    """Records to work with, one of each kind for every thread."""

    works: Any
    roots: Any
    trials: Any
    searches: Any


@functools.cache
def for_all(one: Callable[..., None], on_gpu: bool) -> Any:
    """A loop of such a kernel over matches; where a seat is -1, there is nothing to do."""
    if not on_gpu:

        @kernel
        def on_cores(
            setup: IntArray,
            states: IntArray,
            scratch: Scratch,
            seats: IntArray,
            first: int,
            last: int,
            rows: IntArray,
            worlds: int,
        ) -> None:
            for i in range(first, last):
                if seats[i] >= 0:
                    one(setup[0], states[i], scratch, as_int(0), seats[i], rows[i], worlds)

        return on_cores
    cuda = load_cuda()

    @cuda.jit(max_registers=REGISTERS)  # type: ignore[untyped-decorator]
    def on_threads(
        setup: Any,
        states: Any,
        scratch: Any,
        seats: Any,
        first: int,
        last: int,
        rows: Any,
        worlds: int,
    ) -> None:
        thread = cuda.grid(1)
        for i in range(first + thread, last, cuda.gridsize(1)):
            if seats[i] >= 0:
                one(setup[0], states[i], scratch, thread, seats[i], rows[i], worlds)

    return on_threads


@kernel
def see_one(
    setup: Record,
    state: Record,
    scratch: Scratch,
    thread: int,
    seat: int,
    row: IntArray,
    worlds: int,
) -> None:
    see(setup, state, scratch.works[thread], seat, row)


@kernel
def choose_greedily(
    setup: Record,
    state: Record,
    scratch: Scratch,
    thread: int,
    seat: int,
    row: IntArray,
    worlds: int,
) -> None:
    row[0] = action_of(state, seat, greedy_move(setup, state, scratch.works[thread]))


@kernel
def search(
    setup: Record,
    state: Record,
    scratch: Scratch,
    thread: int,
    seat: int,
    row: IntArray,
    worlds: int,
) -> None:
    root, trial = scratch.roots[thread], scratch.trials[thread]
    work, found = scratch.works[thread], scratch.searches[thread]
    engine.copy_state(state, root)
    engine.begin(setup, root, work, found, as_int(state.turn))
    engine.advance(setup, root, trial, work, found, worlds * as_int(found.count))
    row[0] = action_of(state, seat, as_int(engine.best_move(found)))


@kernel
def action_of(state: Record, seat: int, move: int) -> int:
    """The number that `learn` gives a move of one of two seats."""
    if move == PASS:
        return PASS_ACTION
    place = 0
    while as_int(state.hands[seat, place]) != tile_of(move):
        place += 1
    return place * SEATS + (favoured_by(move) - seat) % 2
