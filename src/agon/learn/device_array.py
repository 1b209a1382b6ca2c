"""Arrays in the memory of a GPU, by address, shape and strides: a view, whatever their order.

Numba's own device arrays cannot do this: their `reshape` takes each array for one in C order.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.simulate.cuda import load_cuda

if TYPE_CHECKING:
    from typing import Self

CUDA = 2
"""What DLPack calls the kind of device."""
NO_WAITING = -1
"""As the stream of a consumer: the producer need not wait for what is under way."""


@dataclass(frozen=True, slots=True, eq=False)
class DeviceArray:
    """An array of a GPU; other libraries share it by `__cuda_array_interface__` and DLPack."""

    owner: Any
    """What keeps the memory."""
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    dtype: np.dtype[Any]
    device: tuple[int, int]
    """Its kind and its number, as DLPack counts them."""

    @classmethod
    def of(cls, array: Any, gpu: int = 0) -> Self:
        """The same memory as an object with `__cuda_array_interface__`; `gpu`: its number."""
        told = array.__cuda_array_interface__
        shape, dtype = tuple(told["shape"]), np.dtype(told["typestr"])
        strides = told.get("strides") or c_strides(shape, dtype.itemsize)
        return cls(array, told["data"][0], shape, tuple(strides), dtype, (CUDA, gpu))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "strides": self.strides,
            "data": (self.address, False),
            "typestr": self.dtype.str,
            "version": 3,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule of DLPack before version 1, which every consumer reads."""
        if copy or dl_device not in (None, self.device):
            raise BufferError(f"device {dl_device}, copy {copy}: shared as it is, on its own GPU")
        if stream != NO_WAITING:
            load_cuda().synchronize()
        return pack(self)

    def copy_to_host(self) -> np.ndarray[Any, Any]:
        """A copy as an array of NumPy."""
        copied: np.ndarray[Any, Any] = load_cuda().as_cuda_array(self).copy_to_host()
        return copied

    def with_seats(self) -> Self:
        """The same with an axis of length 1 after the first."""
        first, *rest = self.strides
        shape = self.shape[0], 1, *self.shape[1:]
        return replace(self, shape=shape, strides=(first, first, *rest))

    def part(self, at: int, shape: tuple[int, ...]) -> Self:
        """Of each row the numbers from that place on, in this shape."""
        *rows, step = self.strides
        return replace(
            self,
            address=self.address + at * step,
            shape=(*self.shape[:-1], *shape),
            strides=(*rows, *c_strides(shape, step)),
        )


def c_strides(shape: tuple[int, ...], step: int) -> tuple[int, ...]:
    """The strides of numbers that are a step apart from each other, the last axis first.

    >>> c_strides((28, 6), 8)
    (48, 8)
    """
    return tuple(step * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


class Memory:
    """What NumPy makes an array of that has this address, and that nobody may read here."""

    def __init__(self, array: DeviceArray) -> None:
        self.array = array
        self.__array_interface__ = array.__cuda_array_interface__


def pack(array: DeviceArray) -> Any:
    """The array as a capsule for DLPack.

    NumPy makes it, and frees it when the consumer does not need it any more; only the device, which
    NumPy takes for this machine's memory, is written anew. It stands behind the address: see
    `DLTensor` in dlpack.h.
    """
    capsule = np.asarray(Memory(array)).__dlpack__()
    find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    tensor = find(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"dltensor")
    place = tensor + ctypes.sizeof(ctypes.c_void_p)
    (ctypes.c_int32 * 2).from_address(place)[:] = [*array.device]
    return capsule
