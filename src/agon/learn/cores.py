"""Batches on the cores of this machine: compiled loops that run without the interpreter's lock."""

from __future__ import annotations

import functools
import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.kernel import IntArray, as_int, kernel, new_array
from agon.learn.arrays import MASKS, BatchArrays, for_kernels, make_arrays
from agon.learn.checks import on_cores
from agon.learn.stepping import Stepping, is_legal, stepping_for, write_masks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.games.learning import Learning


class CoreStepper:
    """Steps the matches of a batch, on several threads a share of them each."""

    def __init__(
        self,
        learning: Learning,
        matches: int,
        given: Mapping[str, Any],
        threads: int,
        masks: bool = False,
    ) -> None:
        self._learning = learning
        self._setup = new_array(learning.setup.dtype)
        self._setup[:] = learning.setup
        self.states = new_array(learning.state, matches)
        self.shown = make_arrays(learning, matches, given, masks, np.zeros, _adopt)
        arrays = for_kernels(self.shown, learning.at_once, lambda array: array[:, None])
        self._masks = arrays.pop(MASKS, None)
        self.arrays = BatchArrays(**arrays)
        works = [new_array(learning.work) for _ in range(threads)]
        edges = [matches * share // threads for share in range(threads + 1)]
        self._shares = [*zip(works, edges[:-1], edges[1:], strict=True)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._kernels = Stepping(*map(_for_all, stepping_for(learning)))

    def begin(self, seed: int) -> None:
        self._run(self._kernels.begin, self.arrays, np.uint64(seed))

    def find_illegal(self, chosen: IntArray, by_place: bool) -> int:
        """Where in the flat array of decisions the first one is that is not legal, or -1."""
        return int(_find_illegal(self.arrays, chosen, int(by_place)))

    def step(self, seed: int, limit: int, chosen: IntArray, by_place: bool) -> None:
        more = np.uint64(seed), np.int64(limit), chosen, np.int64(by_place)
        self._run(self._kernels.step, self.arrays, *more)

    def step_of_one(self, limit: int, chosen: IntArray, masks: IntArray) -> Callable[[], int]:
        """A step of a batch that is one match, in one call, as Python waits longest for calls.

        It plays what `chosen` holds then, writes the masks and returns -1; or, if it is not legal,
        changes nothing and returns which one of the decisions that is.
        """
        work = self._shares[0][0]
        more = self.arrays, np.uint64(0), np.int64(limit), chosen, masks
        step = _step_of_one(stepping_for(self._learning).step)
        return functools.partial(step, self._setup, self.states, work, *more)

    def look(self) -> None:
        self._run(self._kernels.look, self.arrays)

    def write_masks(self) -> None:
        self._run(_mask_all, self.arrays, self._masks)

    def redeal(self, seats: IntArray, seed: int) -> None:
        self._run(self._kernels.redeal, seats, np.uint64(seed))

    def encode(self, match: int, seat: int, row: IntArray) -> None:
        """What a seat knows of a match, whether it decides or not."""
        work = self._shares[0][0]
        self._learning.encode(self._setup[0], self.states[match], work[0], as_int(seat), row)

    def copy(self) -> CoreStepper:
        """The same matches once more."""
        return _make_anew(*self.__reduce__()[1])

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Arrays that show the same memory would be pickled one by one."""
        kind = self._learning, len(self._shares), MASKS in self.shown
        return _make_anew, (*kind, self.states, self.arrays)

    def restore(self, states: Any, arrays: BatchArrays) -> None:
        """Go to another moment, or to that of another one's matches."""
        self.states[:] = states
        for array, other in zip(self.arrays, arrays, strict=True):
            array[:] = other

    def part(self, at: int, shape: tuple[int, ...]) -> IntArray:
        """Of each observation the numbers from that place on, in this shape."""
        rows: IntArray = self.shown["observations"]
        return rows[..., at : at + math.prod(shape)].reshape(*rows.shape[:-1], *shape)

    def adopt(self, chosen: Any, shape: tuple[int, ...]) -> IntArray:
        return on_cores(chosen, shape)

    def find_absent(self, seats: IntArray) -> int:
        """The first match in which there is no such seat, or -1."""
        wrong = (seats < 0) | (seats >= self._learning.seats)
        return int(np.argmax(wrong)) if wrong.any() else -1

    def _run(self, loop: Callable[..., None], *arguments: Any) -> None:
        def run(share: tuple[Any, int, int]) -> None:
            loop(self._setup, self.states, *share, *arguments)

        if self._pool is None:
            run(self._shares[0])
        else:
            list(self._pool.map(run, self._shares))


def _make_anew(
    learning: Learning, threads: int, masks: bool, states: Any, arrays: BatchArrays
) -> CoreStepper:
    made = CoreStepper(learning, len(states), {}, threads, masks)
    made.restore(states, arrays)
    if masks:
        made.write_masks()
    return made


def _adopt(given: Any) -> IntArray | None:
    """The memory of an array of the caller, of NumPy or another library; None: it is none."""
    array = np.asarray(given) if hasattr(given, "__dlpack__") else None
    return array if array is not None and array.flags.writeable else None


@kernel
def _find_illegal(arrays: BatchArrays, chosen: IntArray, by_place: int) -> int:
    for i in range(chosen.shape[0]):
        for place in range(chosen.shape[1]):
            if not is_legal(arrays, as_int(i), as_int(place), as_int(chosen[i, place]), by_place):
                return as_int(i * chosen.shape[1] + place)
    return -1


@kernel
def _mask_all(
    setup: IntArray,
    states: IntArray,
    work: IntArray,
    first: int,
    end: int,
    arrays: BatchArrays,
    masks: IntArray,
) -> None:
    for i in range(first, end):
        write_masks(arrays, masks, as_int(i))


@functools.cache
def _for_all(one: Callable[..., None]) -> Callable[..., None]:
    """A kernel of `stepping.py`, for a share of the matches."""

    @kernel
    def for_all(
        setup: IntArray, states: IntArray, work: IntArray, first: int, end: int, *more: Any
    ) -> None:
        for i in range(first, end):
            one(setup[0], states[i], work[0], as_int(i), *more)

    return for_all


@functools.cache
def _step_of_one(step: Callable[..., None]) -> Callable[..., int]:
    @kernel
    def step_one(
        setup: IntArray,
        states: IntArray,
        work: IntArray,
        arrays: BatchArrays,
        seed: int,
        limit: int,
        chosen: IntArray,
        masks: IntArray,
    ) -> int:
        first = by_number = as_int(0)
        wrong = _find_illegal(arrays, chosen, by_number)
        if wrong < 0:
            step(setup[0], states[0], work[0], first, arrays, seed, limit, chosen, by_number)
            write_masks(arrays, masks, first)
        return wrong

    return step_one
