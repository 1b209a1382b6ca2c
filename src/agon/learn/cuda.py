"""Batches on an NVIDIA GPU: the same kernels, a thread for each match, all arrays on the device."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.learn.arrays import MASKS, BatchArrays, for_kernels, make_arrays
from agon.learn.checks import check_form, on_cores
from agon.learn.device_array import DeviceArray
from agon.learn.stepping import copy_ending, is_legal, stepping_for, write_masks
from agon.simulate.cuda import load_cuda

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.games.learning import Learning
    from agon.learn.stepping import Stepping

THREADS = 64
BLOCKS_PER_MULTIPROCESSOR = 8
REGISTERS = 64
NONE_WRONG = 2**31 - 1


class GpuStepper:
    """Steps the matches of a batch on a GPU."""

    def __init__(
        self, learning: Learning, matches: int, given: Mapping[str, Any], masks: bool
    ) -> None:
        self._cuda = cuda = load_cuda()
        # a small batch leaves most of the GPU idle; that is the caller's choice
        warnings.filterwarnings("ignore", message=".*Grid size.*")
        most = BLOCKS_PER_MULTIPROCESSOR * cuda.get_current_device().MULTIPROCESSOR_COUNT
        blocks = min(most, -(-matches // THREADS))
        self._learning, self._launch = learning, (blocks, THREADS)
        self._setup = cuda.to_device(np.asarray(learning.setup))
        self._works = cuda.to_device(np.zeros(blocks * THREADS, learning.work))
        self._wrong = cuda.to_device(np.zeros(1, np.int32))
        self.states = cuda.to_device(np.zeros(matches, learning.state))
        self._gpu = cuda.get_current_device().id
        self.shown = make_arrays(learning, matches, given, masks, self._zeros, self._adopt)
        views = for_kernels(self.shown, learning.at_once, DeviceArray.with_seats)
        arrays = {name: cuda.as_cuda_array(view) for name, view in views.items()}
        self._masks = arrays.pop(MASKS, None)
        self.arrays = BatchArrays(**arrays)
        self._kernels = _kernels(stepping_for(learning))

    def _zeros(self, shape: tuple[int, ...], kind: Any) -> DeviceArray:
        """The numbers of all matches at one place side by side, as threads in step write them."""
        return DeviceArray.of(self._cuda.to_device(np.zeros(shape, kind, order="F")), self._gpu)

    def _adopt(self, given: Any) -> DeviceArray | None:
        """The memory of an array of the caller, of any library; None: it is none of the GPU."""
        told = getattr(given, "__cuda_array_interface__", None)
        return None if told is None or told["data"][1] else DeviceArray.of(given, self._gpu)

    def begin(self, seed: int) -> None:
        self._run(self._kernels[0], self.arrays, np.uint64(seed))

    def find_illegal(self, chosen: Any, by_place: bool) -> int:
        """Where in the flat array of decisions the first one is that is not legal, or -1."""
        self._wrong.copy_to_device(np.array([NONE_WRONG], np.int32))
        _common_kernels()[0][self._launch](self.arrays, chosen, np.int64(by_place), self._wrong)
        return self._read_wrong()

    def find_absent(self, seats: Any) -> int:
        """The first match in which there is no such seat, or -1."""
        self._wrong.copy_to_device(np.array([NONE_WRONG], np.int32))
        _common_kernels()[1][self._launch](seats, np.int64(self._learning.seats), self._wrong)
        return self._read_wrong()

    def _read_wrong(self) -> int:
        wrong = int(self._wrong.copy_to_host()[0])
        return -1 if wrong == NONE_WRONG else wrong

    def step(self, seed: int, limit: int, chosen: Any, by_place: bool) -> None:
        more = np.uint64(seed), np.int64(limit), chosen, np.int64(by_place)
        self._run(self._kernels[1], self.arrays, *more)

    def look(self) -> None:
        self._run(self._kernels[2], self.arrays)

    def write_masks(self) -> None:
        _common_kernels()[2][self._launch](self.arrays, self._masks)

    def redeal(self, seats: Any, seed: int) -> None:
        self._run(self._kernels[3], seats, np.uint64(seed))

    def __reduce__(self) -> Any:
        raise TypeError("a batch on a GPU does not pickle: expected a copy, or one made anew")

    def restore(self, states: Any, arrays: BatchArrays) -> None:
        """Go to the moment of another one's matches."""
        self.states.copy_to_device(states)
        _common_kernels()[3][self._launch](self.arrays, arrays)
        self.look()

    def part(self, at: int, shape: tuple[int, ...]) -> DeviceArray:
        """Of each observation the numbers from that place on, in this shape."""
        rows: DeviceArray = self.shown["observations"]
        return rows.part(at, shape)

    def adopt(self, chosen: Any, shape: tuple[int, ...]) -> Any:
        """Decisions as kernels take them: on the device, where they may be already."""
        if not hasattr(chosen, "__cuda_array_interface__"):
            return self._cuda.to_device(on_cores(chosen, shape))
        array = DeviceArray.of(chosen)
        check_form(array, shape)
        return self._cuda.as_cuda_array(array if array.shape == shape else array.with_seats())

    def _run(self, kernel: Any, *arguments: Any) -> None:
        kernel[self._launch](self._setup, self.states, self._works, *arguments)


@functools.cache
def _kernels(stepping: Stepping) -> tuple[Any, ...]:
    cuda = load_cuda()
    begin, step, look, redeal = stepping
    jit = cuda.jit(max_registers=REGISTERS)

    @jit  # type: ignore[untyped-decorator]
    def begin_all(setup: Any, states: Any, works: Any, arrays: Any, seed: int) -> None:
        thread = cuda.grid(1)
        for i in range(thread, states.shape[0], cuda.gridsize(1)):
            begin(setup[0], states[i], works[thread], i, arrays, seed)

    @jit  # type: ignore[untyped-decorator]
    def step_all(
        setup: Any,
        states: Any,
        works: Any,
        arrays: Any,
        seed: int,
        limit: int,
        chosen: Any,
        by_place: int,
    ) -> None:
        thread = cuda.grid(1)
        for i in range(thread, states.shape[0], cuda.gridsize(1)):
            step(setup[0], states[i], works[thread], i, arrays, seed, limit, chosen, by_place)

    @jit  # type: ignore[untyped-decorator]
    def look_all(setup: Any, states: Any, works: Any, arrays: Any) -> None:
        thread = cuda.grid(1)
        for i in range(thread, states.shape[0], cuda.gridsize(1)):
            look(setup[0], states[i], works[thread], i, arrays)

    @jit  # type: ignore[untyped-decorator]
    def redeal_all(setup: Any, states: Any, works: Any, seats: Any, seed: int) -> None:
        thread = cuda.grid(1)
        for i in range(thread, states.shape[0], cuda.gridsize(1)):
            redeal(setup[0], states[i], works[thread], i, seats, seed)

    return begin_all, step_all, look_all, redeal_all


@functools.cache
def _common_kernels() -> tuple[Any, ...]:
    """Those that are the same in all games."""
    cuda = load_cuda()

    @cuda.jit  # type: ignore[untyped-decorator]
    def find_illegal(arrays: Any, chosen: Any, by_place: int, wrong: Any) -> None:
        at_once = chosen.shape[1]
        for number in range(cuda.grid(1), chosen.size, cuda.gridsize(1)):
            i, place = number // at_once, number % at_once
            if not is_legal(arrays, i, place, chosen[i, place], by_place):
                cuda.atomic.min(wrong, 0, number)

    @cuda.jit  # type: ignore[untyped-decorator]
    def find_absent(seats: Any, count: int, wrong: Any) -> None:
        for i in range(cuda.grid(1), seats.size, cuda.gridsize(1)):
            if not 0 <= seats[i] < count:
                cuda.atomic.min(wrong, 0, i)

    return find_illegal, find_absent, _for_all(write_masks), _for_all(copy_ending)


def _for_all(one: Callable[..., None]) -> Any:
    """A kernel of `stepping.py` for the arrays of all matches and another one."""
    cuda = load_cuda()

    @cuda.jit  # type: ignore[untyped-decorator]
    def for_all(arrays: Any, other: Any) -> None:
        for i in range(cuda.grid(1), arrays.ends.shape[0], cuda.gridsize(1)):
            one(arrays, other, i)

    return for_all
