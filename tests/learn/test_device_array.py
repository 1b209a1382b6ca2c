"""Views of arrays of a GPU, on memory of this machine that says that it is one's."""

from __future__ import annotations

import ctypes
import gc
import math
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agon.learn import device_array
from agon.learn.device_array import CUDA, DeviceArray, Memory, pack
from tests.learn.fake_cuda import FakeCuda

ORDERS = {
    "C": lambda array: np.array(array, order="C"),
    "F": lambda array: np.array(array, order="F"),
    "strided": lambda array: np.repeat(array, 2, axis=0)[::2],
}
orders = pytest.mark.parametrize("order", ORDERS)
HERE = 1, 0
"""This machine's memory, as DLPack counts devices."""


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    made = FakeCuda()
    monkeypatch.setattr(device_array, "load_cuda", lambda: made)
    return made


class Fake:
    """An array that is offered as device arrays are; its owner keeps it alive."""

    def __init__(self, array: Any, strides: bool = True) -> None:
        told = dict(array.__array_interface__)
        self.__cuda_array_interface__ = told | {"strides": array.strides if strides else None}
        self.array = array


def read(array: DeviceArray) -> Any:
    """What is at that address, by these strides."""
    return np.asarray(Memory(array))


def numbers(*shape: int) -> Any:
    return np.arange(math.prod(shape), dtype=np.int16).reshape(shape)


@orders
def test_a_part_has_its_own_shape(order: str) -> None:
    rows = ORDERS[order](numbers(8, 172))
    part = DeviceArray.of(Fake(rows)).part(3, (28, 6))
    assert part.shape == (8, 28, 6)
    assert np.array_equal(read(part), rows[:, 3:171].reshape(8, 28, 6))


def test_a_part_of_rows_of_several_seats() -> None:
    rows = ORDERS["F"](numbers(5, 2, 30))
    part = DeviceArray.of(Fake(rows)).part(4, (2, 3, 4))
    assert np.array_equal(read(part), rows[..., 4:28].reshape(5, 2, 2, 3, 4))


def test_strides_of_a_part_in_fortran_order() -> None:
    rows = np.zeros((8, 168), np.int8, order="F")
    assert rows.strides == (1, 8)
    assert DeviceArray.of(Fake(rows)).part(0, (28, 6)).strides == (1, 48, 8)


@orders
@pytest.mark.parametrize("shape", [(7,), (7, 4)])
def test_the_axis_of_seats(order: str, shape: tuple[int, ...]) -> None:
    array = ORDERS[order](numbers(*shape))
    with_seats = DeviceArray.of(Fake(array)).with_seats()
    assert np.array_equal(read(with_seats), array[:, None])
    flags = read(with_seats).flags
    assert (flags.c_contiguous, flags.f_contiguous) == (
        array.flags.c_contiguous,
        array.flags.f_contiguous,
    )


def test_without_strides_an_array_is_in_c_order() -> None:
    rows = numbers(3, 4, 5)
    array = DeviceArray.of(Fake(rows, strides=False))
    assert (array.strides, array.dtype) == (rows.strides, rows.dtype)
    assert np.array_equal(read(array), rows)


@orders
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.float32])
def test_others_share_it_by_dlpack(order: str, kind: Any) -> None:
    torch = pytest.importorskip("torch")
    rows = ORDERS[order](numbers(6, 30).astype(kind))
    part = replace(DeviceArray.of(Fake(rows)).part(2, (4, 7)), device=HERE)
    expected = rows[:, 2:].reshape(6, 4, 7)
    for taken in (torch.from_dlpack(part).numpy(), np.from_dlpack(part)):
        assert np.array_equal(taken, expected)
        assert taken.dtype == kind
        assert np.shares_memory(taken, rows)


def test_what_is_shared_lives_as_long_as_its_consumer() -> None:
    torch = pytest.importorskip("torch")
    offered = Fake(numbers(3, 4))
    alive = weakref.ref(offered)
    array = replace(DeviceArray.of(offered), device=HERE)
    unused, taken = pack(array), torch.from_dlpack(array)
    del offered, array
    gc.collect()
    assert alive()
    assert taken[2].tolist() == [8, 9, 10, 11]
    del taken
    gc.collect()
    assert alive()
    del unused
    gc.collect()
    assert alive() is None


def test_memory_of_a_gpu_is_never_read_here() -> None:
    address = 1 << 20  # of nothing in this process
    array = DeviceArray(None, address, (8, 168), (1, 8), np.dtype(np.int8), (CUDA, 3))
    capsule = array.__dlpack__(stream=1, max_version=(1, 1), dl_device=(CUDA, 3), copy=False)
    find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    tensor = find(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"dltensor")
    assert ctypes.c_void_p.from_address(tensor).value == address
    assert (ctypes.c_int32 * 3).from_address(tensor + 8)[:] == [*array.__dlpack_device__(), 2]
    with pytest.raises((BufferError, RuntimeError)):
        np.from_dlpack(array)


def test_it_is_not_copied_elsewhere() -> None:
    array = DeviceArray.of(Fake(numbers(3)))
    with pytest.raises(BufferError, match="copy True"):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"device \(1, 0\)"):
        array.__dlpack__(dl_device=HERE)


def test_what_is_under_way_is_waited_for(fake: FakeCuda) -> None:
    array = DeviceArray.of(Fake(numbers(3)))
    array.__dlpack__(stream=-1)
    assert fake.waited == 0
    array.__dlpack__(stream=1234)
    assert fake.waited == 1
