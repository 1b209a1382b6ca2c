"""The one place that names the compiler.

Rules are plain Python functions over fixed-size NumPy records. Decorated with `@kernel` they are
compiled by Numba on first use and kept on disk; with the environment variable AGON_JIT=0 they run
as they stand, with the same results; inside a CUDA kernel they are compiled for the GPU.

What a kernel may use: integers, loops, records and arrays that are passed in, other kernels. No
allocation, exception, string, list, dict or recursion. Every integer that is loaded from a record
goes through `as_int` (one type everywhere, so one compilation); 64-bit unsigned arithmetic goes
through `u64`.

A stale cache is impossible: compiled code lies in a folder that is named after the bytecode of its
module and of all kernel modules that it imports, as they are loaded in this process; and
`tests/test_kernel.py` holds files with kernels to importing only each other.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_F = TypeVar("_F", bound="Callable[..., Any]")

Record: TypeAlias = Any
"""One element of a record array, passed by reference: `state.field` reads and writes."""
IntArray: TypeAlias = npt.NDArray[Any]


def _jit_wanted() -> bool:
    setting = os.environ.get("AGON_JIT", "1")
    if setting not in ("0", "1"):
        raise SettingError(
            f"AGON_JIT={setting!r}: expected 1 (compiled, the default) or 0 (interpreted)"
        )
    return setting == "1"


JIT = _jit_wanted()
"""Whether kernels are compiled in this process."""


_fingerprints: dict[str, str] = {}
"""Of each loaded module that has a kernel in it: a digest of its code and of what it imports."""


def kernel_modules() -> list[str]:
    """The modules with kernels that are loaded in this process."""
    return sorted(_fingerprints)


def _fingerprint(frame: FrameType) -> str:
    """The fingerprint of the module whose body runs in this frame."""
    name = frame.f_globals["__name__"]
    if name not in _fingerprints:
        code = frame.f_code
        digest = hashlib.sha256(f"{sys.version} {np.__version__} {numba.__version__}".encode())
        for imported in ("agon.kernel", *code.co_names):
            digest.update(_fingerprints.get(imported, "").encode())
        _digest_code(digest, code)
        _fingerprints[name] = digest.hexdigest()[:16]
    return _fingerprints[name]


def _digest_code(digest: Any, code: CodeType) -> None:
    """Add all that decides what a piece of bytecode does."""
    digest.update(code.co_code)
    plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    digest.update(repr((plain, names, code.co_argcount, code.co_flags)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _digest_code(digest, constant)


@functools.cache
def cache_home() -> Path:
    """Where compiled kernels are kept: AGON_CACHE, else the user's cache folder.

    Where that cannot be written, a folder for this process alone.
    """
    try:
        wanted = os.environ.get("AGON_CACHE")
        home = Path(wanted) if wanted else _user_cache() / "agon"
        home = home / "kernels"
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except (OSError, RuntimeError):
        folder = tempfile.mkdtemp(prefix="agon-kernels-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


if JIT:
    import numba
    from numba.core import event

    _config: Any = numba.config
    _njit: Any = numba.njit(cache=True, nogil=True, error_model="numpy", boundscheck=False)
    _register: Any = event.register

    def kernel(function: _F) -> _F:
        """Compile a rules function on first use, or load it from the disk cache."""
        before = _config.CACHE_DIR
        folder = cache_home() / _fingerprint(sys._getframe(1))
        _config.CACHE_DIR = str(folder)  # read once, by the decoration below
        try:
            compiled: _F = _njit(function)
        finally:
            _config.CACHE_DIR = before
        return compiled

    @kernel
    def as_int(value: Any) -> int:
        """The value as a signed 64-bit integer (compiled) or a Python int (interpreted)."""
        return np.int64(value)  # type: ignore[return-value]

    @kernel
    def u64(value: Any) -> int:
        """The value as an unsigned 64-bit integer that wraps around."""
        return np.uint64(value)  # type: ignore[return-value]

    def on_compile(callback: Callable[[str, bool], None]) -> None:
        """Call `callback(function name, True)` before a kernel is compiled, with False after it."""

        class _Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                callback(event.data["dispatcher"].__name__, True)

            def on_end(self, event: Any) -> None:
                callback(event.data["dispatcher"].__name__, False)

        _register("numba:compile", _Listener())

else:

    def kernel(function: _F) -> _F:
        """Leave the function as it is: AGON_JIT=0."""
        return function

    def as_int(value: Any) -> int:
        """The value as a Python int."""
        return int(value)

    def u64(value: Any) -> int:
        """The value as an unsigned 64-bit integer that wraps around."""
        return int(value) & 0xFFFF_FFFF_FFFF_FFFF

    def on_compile(callback: Callable[[str, bool], None]) -> None:
        """Do nothing: without the compiler nothing is compiled."""


@functools.cache
def _record_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a single record: compiled code needs no attributes, and is quicker without."""
    return dtype if JIT else np.dtype((np.record, dtype))


def new_array(dtype: np.dtype[Any], count: int = 1) -> Any:
    """Zeroed records, as a rule one: a tenth of the cost of the record to hand to a kernel."""
    array = np.zeros(count, dtype)
    return array if JIT else array.view(np.recarray)


def new_record(dtype: np.dtype[Any]) -> Any:
    """One zeroed record for kernels; outside of them its fields are `record["field"]`."""
    return np.zeros(1, _record_type(dtype))[0]


def copy_record(record: Record, dtype: np.dtype[Any]) -> Any:
    """A record of that type with the same bytes."""
    copy = np.empty(1, _record_type(dtype))
    copy[0] = record
    return copy[0]


def new_records(dtype: np.dtype[Any], count: int = 1) -> Any:
    """An array of `count` zeroed records with attribute access; `[i]` is one, by reference."""
    return np.zeros(count, dtype).view(np.recarray)


@kernel
def bit_count(mask: int) -> int:
    """Number of set bits of a mask of at most 63 bits; one instruction when compiled."""
    x = mask - ((mask >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 127


@kernel
def lowest_bit(mask: int) -> int:
    """Number of the lowest set bit of a mask that is not 0; one instruction when compiled."""
    return bit_count(~mask & (mask - 1))


@kernel
def mix64(value: int) -> int:
    """Scatter the bits of an unsigned 64-bit number (the finaliser of SplitMix64)."""
    x = u64(value)
    x = u64((x ^ (x >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    x = u64((x ^ (x >> u64(27))) * u64(0x94D049BB133111EB))
    return x ^ (x >> u64(31))


@kernel
def next_random(state: Record) -> int:
    """The next 64 random bits of the generator in `state.random` (SplitMix64: any seed will do)."""
    state.random = u64(u64(state.random) + u64(0x9E3779B97F4A7C15))
    return mix64(state.random)


@kernel
def random_below(state: Record, bound: int) -> int:
    """A random integer from 0 to bound - 1, for bounds up to 2**31, by multiply and shift."""
    return (as_int(next_random(state) >> u64(33)) * bound) >> 31
