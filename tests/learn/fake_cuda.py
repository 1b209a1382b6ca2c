"""What batches use of `numba.cuda`, on this machine: one thread, which Python runs.

It has the shapes, strides and launches of a GPU, and none of its memory.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.learn.arrays import BatchArrays

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeArray(np.ndarray[Any, Any]):
    """An array of this machine that is offered as device arrays are."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.__array_interface__, "strides": self.strides}

    def copy_to_host(self) -> Any:
        return np.array(self)

    def copy_to_device(self, array: Any) -> None:
        self[:] = array

    def reshape(self, *shape: Any, **more: Any) -> Any:
        raise AssertionError("reshape: device arrays in Fortran order are scrambled by it")


class Launcher:
    """A kernel, which is launched by `kernel[blocks, threads](…)`."""

    def __init__(self, function: Callable[..., None]) -> None:
        self._function = function

    def __getitem__(self, shape: tuple[int, int]) -> Callable[..., None]:
        return lambda *arguments: self._function(*map(plain, arguments))


def plain(argument: Any) -> Any:
    if isinstance(argument, BatchArrays):
        return BatchArrays(*map(np.asarray, argument))
    return np.asarray(argument) if isinstance(argument, FakeArray) else argument


class Atomic:
    @staticmethod
    def min(array: Any, place: int, value: int) -> None:
        array[place] = min(array[place], value)


class FakeCuda:
    """In place of the module."""

    atomic = Atomic

    def __init__(self) -> None:
        self.waited = 0

    def jit(self, function: Any = None, **options: Any) -> Any:
        return Launcher if function is None else Launcher(function)

    def grid(self, axes: int) -> int:
        return 0

    def gridsize(self, axes: int) -> int:
        return 1

    def get_current_device(self) -> Any:
        return SimpleNamespace(MULTIPROCESSOR_COUNT=1, id=0)

    def to_device(self, array: Any) -> FakeArray:
        return np.array(array).view(FakeArray)

    def as_cuda_array(self, array: Any) -> FakeArray:
        class Memory:
            __array_interface__ = array.__cuda_array_interface__
            owner = array

        return np.asarray(Memory()).view(FakeArray)

    def synchronize(self) -> None:
        self.waited += 1
