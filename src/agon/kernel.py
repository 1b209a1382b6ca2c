"""The one place that names the compiler.

Rules are plain Python functions over fixed-size NumPy records. Decorated with `@kernel` they are
compiled by Numba on first use and kept on disk; with the environment variable AGON_JIT=0 they run
as they stand, with the same results; inside a CUDA kernel they are compiled for the GPU.

What a kernel may use: integers, loops, records and arrays that are passed in, other kernels. No
allocation, exception, string, list, dict or recursion. Every integer that is loaded from a record
goes through `as_int` (one type everywhere, so one compilation); 64-bit unsigned arithmetic goes
through `u64`.

Compiled code on disk is never stale: it is found by a digest of all that it was made from, as
loaded in this process: the kernel's bytecode, every value that it names (constants and tables of
any module), and the same of the kernels that it calls.
"""

from __future__ import annotations

import atexit
import dis
import functools
import hashlib
import itertools
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, EnumType
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FunctionType

    from agon.errors import RulesNotReadyError

_F = TypeVar("_F", bound="Callable[..., Any]")

Record: TypeAlias = Any
"""One element of a record array, passed by reference: `state.field` reads and writes."""
IntArray: TypeAlias = npt.NDArray[Any]
CompileListener: TypeAlias = Callable[[str, bool], None]


def _jit_wanted() -> bool:
    setting = os.environ.get("AGON_JIT", "1")
    if setting not in ("0", "1"):
        raise SettingError(
            f"AGON_JIT={setting!r}: expected 1 (compiled, the default) or 0 (interpreted)"
        )
    return setting == "1"


JIT = _jit_wanted()
"""Whether kernels are compiled in this process."""


@functools.cache
def kept_cache() -> Path | None:
    """Where compiled kernels are kept: AGON_CACHE, else the user's cache folder.

    None: that cannot be written.
    """
    try:
        wanted = os.environ.get("AGON_CACHE")
        home = Path(wanted) if wanted else _user_cache() / "agon"
        home = home / "kernels"
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except (OSError, RuntimeError):
        return None


@functools.cache
def cache_home() -> Path:
    """Where compiled kernels are found again, if need be by this process alone."""
    if kept := kept_cache():
        return kept
    folder = tempfile.mkdtemp(prefix="agon-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "kernels"


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def compiling_text(game: str) -> str:
    """What users are told while the rules of a game are compiled."""
    if kept_cache():
        return f"compiling the rules of {game}, kept for the next time"
    return f"compiling the rules of {game}, not kept: AGON_CACHE may name a folder to keep it in"


def say_compiling(module: str, begins: bool) -> None:
    """Write one line to stderr for each game whose rules are compiled in this process."""
    package = module.rpartition(".")[0]
    of_all_games = package in ("agon", "agon.games") or package.split(".")[0] == "numba"
    is_shared = of_all_games or package.startswith(("agon.learn", "agon.arena"))
    if begins and not is_shared and package not in _said:
        _said.add(package)
        sys.stderr.write(f"agon: {compiling_text(package.rpartition('.')[2])} …\n")


_said: set[str] = set()
_compile_listeners: list[CompileListener] = [say_compiling]


@contextmanager
def compile_listener(listener: CompileListener) -> Iterator[None]:
    """Have `listener(module, True)` called before a kernel is compiled, with False after it.

    It takes the place of `say_compiling`, until the block ends.
    """
    _compile_listeners.append(listener)
    try:
        yield
    finally:
        _compile_listeners.remove(listener)


_held: dict[str, Callable[[], RulesNotReadyError]] = {}


def hold_kernels(package: str, not_ready: Callable[[], RulesNotReadyError]) -> None:
    """From now on kernels of this package are loaded, but not compiled in this process.

    Where one would have to be compiled, what `not_ready` returns is raised.
    """
    _held[package] = not_ready


def release_kernels(package: str) -> None:
    """Kernels of this package are compiled again where they are first used."""
    _held.pop(package, None)


def require_kernels(package: str) -> None:
    """Raise RulesNotReadyError if kernels of this package are held."""
    if not_ready := _held.get(package):
        raise not_ready()


def kernel_digest(function: FunctionType) -> str:
    """A name for what a kernel compiles to: other code or other values, another name."""
    versions = f"{sys.version} {np.__version__} {numba.__version__} names of functions: 2"
    digest = hashlib.sha256(versions.encode())
    reached, todo = set(), [function]
    while todo:
        current = todo.pop()
        if current not in reached:
            reached.add(current)
            ingredients, called = _ingredients(current)
            digest.update(ingredients.encode())
            todo += called
    return digest.hexdigest()[:16]


@functools.cache
def _ingredients(function: FunctionType) -> tuple[str, list[FunctionType]]:
    """The bytecode of a kernel with the values that it names, and the kernels that it calls."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    free = {name: cell.cell_contents for name, cell in cells}
    parts: list[object] = [(function.__module__, function.__qualname__, function.__defaults__)]
    called: list[FunctionType] = []
    for code in _with_inner(function.__code__):
        plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        parts.append((code.co_code, plain, names, code.co_argcount, code.co_flags))
        for name, value in _named_values(code, function.__globals__ | free):
            if inner := getattr(value, "py_func", None):
                called.append(inner)
            else:
                parts.append((name, _frozen(name, value)))
    return repr(parts), called


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


def _named_values(code: CodeType, namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values from outside that this code names; of a module those of its attributes."""
    whole = dis.get_instructions(code)
    instructions = (step for step in whole if step.opname != "EXTENDED_ARG")
    for instruction in instructions:
        if instruction.opname not in ("LOAD_GLOBAL", "LOAD_DEREF"):
            continue
        name = instruction.argval
        value = namespace.get(name, _BUILTIN)
        while isinstance(value, ModuleType):
            name = f"{name}.{(attribute := next(instructions).argval)}"
            value = getattr(value, attribute)
        if value is not _BUILTIN:
            yield name, value


_BUILTIN = object()
"""What stands for a name that no module gives a value: Python's own, or local to the kernel."""


def _frozen(name: str, value: Any) -> object:
    """What the compiler makes part of the code when a kernel names this value."""
    if isinstance(value, tuple):
        return [_frozen(name, part) for part in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, EnumType):
        return [repr(member) for member in cast("type[Enum]", value)]
    if isinstance(value, int | float | complex | str | bytes | np.generic | np.dtype | None):
        return value
    if callable(value):  # a type or function that the compiler knows by its name
        return value.__module__, value.__qualname__
    raise TypeError(
        f"kernel names {name}, a {type(value).__name__}: expected a number, text, enum, array,"
        " a tuple of these, or a kernel"
    )


if JIT:
    import numba
    from numba.core import bytecode, caching, event

    _njit: Any = functools.partial(
        numba.njit,
        nogil=True,
        error_model="numpy",
        boundscheck=False,
        no_cfunc_wrapper=True,  # C does not call kernels,
        _nrt=False,  # and they allocate nothing: a tenth less to compile
    )
    _caching: Any = caching
    _register: Any = event.register
    # The linker takes functions of one name for the same. Numba tells them apart by numbers that
    # begin at 1 in every process, and files on disk come from several: begin anywhere instead.
    _identity: Any = bytecode.FunctionIdentity
    _identity._unique_ids = itertools.count(secrets.randbits(48))

    def kernel(function: _F) -> _F:
        """Compile a rules function on first use, or load it from the disk cache."""
        return _compiled(function)

    def inlined(function: _F) -> _F:
        """A kernel that becomes part of its callers before they are compiled.

        For kernels that one other calls, and Python as a rule does not: each kernel is compiled
        with all that it calls, so the last of a long chain would be compiled once for each link.
        """
        return _compiled(function, inline="always")

    def _compiled(function: _F, **more: str) -> _F:
        compiled = _njit(**more)(function)
        compiled._cache = _KernelCache(function)
        return cast("_F", compiled)

    class _KernelCache(_caching.NullCache):  # type: ignore[misc]
        """The disk cache of one kernel, opened when all values that the kernel names are there."""

        def __init__(self, function: Any) -> None:
            self._function = function

        @functools.cached_property
        def _files(self) -> Any:
            return _KernelFiles(self._function)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = self._files.load_overload(sig, target_context)
            if found is None:
                require_kernels(self._function.__module__.rpartition(".")[0])
            return found

        def save_overload(self, sig: Any, cres: Any) -> None:
            self._files.save_overload(sig, cres)

    class _DigestFolder:
        """Where Numba keeps a kernel's code: the digest in its path stands for file and closure."""

        def __init__(self, function: Any, file: str) -> None:
            self._folder = cache_home() / kernel_digest(function)
            self._py_file = file

        from_function = classmethod(lambda cls, function, file: cls(function, file))

        def ensure_cache_path(self) -> None:
            self._folder.mkdir(parents=True, exist_ok=True)

        def get_cache_path(self) -> str:
            return str(self._folder)

        def get_source_stamp(self) -> str:
            return ""

        def get_disambiguator(self) -> str:
            return ""

    class _KernelImplementation(_caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (_DigestFolder,)

    class _KernelFiles(_caching.FunctionCache):  # type: ignore[misc]
        _impl_class = _KernelImplementation

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            return sig, codegen.magic_tuple()

    class _Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            _compile_listeners[-1](event.data["dispatcher"].__module__, True)

        def on_end(self, event: Any) -> None:
            _compile_listeners[-1](event.data["dispatcher"].__module__, False)

    _register("numba:compile", _Listener())

else:

    def kernel(function: _F) -> _F:
        """Leave the function as it is: AGON_JIT=0."""
        return function

    inlined = kernel


def _wrap_around(value: Any) -> int:
    return int(value) & 0xFFFF_FFFF_FFFF_FFFF


as_int: Callable[[Any], int] = cast("Any", np.int64) if JIT else int
"""The value as a signed 64-bit integer (compiled) or a Python int (interpreted)."""
u64: Callable[[Any], int] = cast("Any", np.uint64) if JIT else _wrap_around
"""The value as an unsigned 64-bit integer that wraps around."""


@functools.cache
def _record_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a single record: compiled code needs no attributes, and is quicker without."""
    return dtype if JIT else np.dtype((np.record, dtype))


def new_array(dtype: np.dtype[Any], count: int = 1) -> Any:
    """Zeroed records, as a rule one: a tenth of the cost of the record to hand to a kernel."""
    array = np.zeros(count, dtype)
    return array if JIT else array.view(np.recarray)


def unset_array(dtype: np.dtype[Any]) -> Any:
    """One record for a kernel that sets all of it."""
    array = np.empty(1, dtype)
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
