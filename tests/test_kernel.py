"""The compiler's one place: nothing stale, nothing hidden, the same numbers either way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from enum import IntEnum
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agon.kernel import (
    bit_count,
    kernel_digest,
    lowest_bit,
    mix64,
    new_records,
    next_random,
    random_below,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANCE = np.dtype([("only_here", np.int8), ("random", np.uint64)])
WRAP = 2**64 - 1

steady = settings(derandomize=True, deadline=None)


def run_python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this code in a process of its own, in which warnings are errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


# --- compiled code on disk is never stale --------------------------------------------------------

BOARD = '"""A module without a kernel."""\n\nROWS = 6\n'

RULES = '''"""A module with a kernel that another one calls."""

from agon.kernel import inlined, kernel

STEP = 3


@inlined
def stride() -> int:
    return STEP


@kernel
def step(x: int) -> int:
    return x + stride()
'''

PLAY = '''"""A module with kernels that no edit touches."""

from tiny import board
from tiny.board import ROWS
from tiny.rules import step

from agon.kernel import kernel


def make_walk(step, columns):
    @kernel
    def walk(steps: int) -> int:
        x = 0
        for _ in range(steps):
            x = step(x)
        return 10_000 * x + 100 * board.ROWS + 10 * ROWS + columns

    return walk


walk = make_walk(step, 7)
'''

WALK = """
import json, sys
from tiny.play import walk
json.dump(walk(4), sys.stdout)
"""


class Tiny:
    """The modules of a game in a package of its own, and a cache for them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.package = folder / "tiny"
        self.package.mkdir()
        for name, text in (("__init__", ""), ("board", BOARD), ("rules", RULES), ("play", PLAY)):
            (self.package / f"{name}.py").write_text(text)

    def edit(self, module: str, old: str, new: str) -> None:
        file = self.package / f"{module}.py"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def walk(self, **environment: str) -> tuple[int, bool]:
        """What a new process finds, and whether it compiled anything."""
        surroundings = {
            "PYTHONPATH": str(self.folder),
            "AGON_CACHE": str(self.cache),
            "AGON_JIT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # bytecode files know size and second of a text alone
        }
        done = run_python(WALK, **surroundings | environment)
        assert done.returncode == 0, done.stderr
        if done.stderr:
            is_kept = self.cache.exists() or "XDG_CACHE_HOME" in environment
            told = "kept for the next time" if is_kept else "not kept: AGON_CACHE may name"
            assert done.stderr.startswith(f"agon: compiling the rules of tiny, {told}")
            assert done.stderr.count("\n") == 1
        return json.loads(done.stdout), bool(done.stderr)


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.mark.system
def test_compiled_code_is_used_again_until_what_it_was_made_from_changes(tiny: Tiny) -> None:
    assert tiny.walk() == (120_667, True)
    assert tiny.walk() == (120_667, False)
    tiny.edit("board", "ROWS = 6", "ROWS = 8")
    assert tiny.walk() == (120_887, True)
    tiny.edit("rules", "STEP = 3", "STEP = 5")
    assert tiny.walk() == (200_887, True)


TOTAL = """
import sys
import numpy as np
from tiny.total import total
from agon.kernel import new_record
for names in sys.argv[1:]:
    record = new_record(np.dtype([(name, np.int64) for name in names]))
    record["x"] = 7
    print(int(total(record)))
"""

TOTALS = '''"""A kernel that calls one which is too long to become a part of it."""

from agon.kernel import Record, as_int, kernel, mix64


@kernel
def scatter(record: Record, n: int) -> int:
    total = as_int(0)
    for i in range(n):
        for j in range(n):
            if i * j % 3 == 1:
                total += as_int(mix64(i * j + as_int(record.x))) & 7
            elif (i + j) % 5 == 2:
                total -= as_int(mix64(i - j + as_int(record.x))) & 3
            else:
                total ^= as_int(record.x) * j
        while total > 1000:
            total //= 3
    return total


@kernel
def total(record: Record) -> int:
    found = as_int(0)
    for n in (5, 6, 10, 12, 14):
        found += scatter(record, as_int(n)) * n
    return found + scatter(record, as_int(7)) * scatter(record, as_int(8))
'''


@pytest.mark.system
def test_code_that_several_processes_compiled_is_not_mixed_up(tiny: Tiny) -> None:
    """The same kernel for two types of records, each by a process of its own, then both in one."""
    (tiny.package / "total.py").write_text(TOTALS)
    path = os.pathsep.join([str(tiny.folder), *filter(None, sys.path)])
    surroundings = {"PYTHONPATH": path, "AGON_CACHE": str(tiny.cache), "AGON_JIT": "1"}
    first, second, both = (
        run_python(TOTAL, *records, **surroundings).stdout.split()
        for records in (["xy"], ["yx"], ["xy", "yx"])
    )
    assert first
    assert first == second
    assert both == first + second


@pytest.mark.system
def test_held_kernels_are_loaded_and_not_compiled(tiny: Tiny) -> None:
    held = """
from concurrent.futures import Future
from agon.errors import RulesNotReadyError
from agon.kernel import hold_kernels, release_kernels
hold_kernels("tiny", lambda: RulesNotReadyError("tiny is held", Future()))
from tiny.play import walk
try:
    print(walk(4))
except RulesNotReadyError as error:
    print(error)
release_kernels("tiny")
print(walk(4))
"""
    surroundings = {"PYTHONPATH": str(tiny.folder), "AGON_CACHE": str(tiny.cache)}
    found = "120667\n"
    assert run_python(held, **surroundings).stdout == (f"tiny is held\n{found}")
    assert run_python(held, **surroundings).stdout == found + found


@pytest.mark.system
def test_a_cache_folder_that_cannot_be_written_is_done_without(tiny: Tiny) -> None:
    file = tiny.folder / "a_file"
    file.write_text("no folder")
    spare = tiny.folder / "spare"
    spare.mkdir()
    assert tiny.walk(AGON_CACHE=str(file / "deeper"), TMPDIR=str(spare)) == (120_667, True)
    assert file.read_text() == "no folder"
    assert not tiny.cache.exists()


@pytest.mark.system
def test_the_cache_folder_follows_the_environment(tiny: Tiny) -> None:
    home = tiny.folder / "home"
    tiny.walk(AGON_CACHE="", XDG_CACHE_HOME=str(home))
    assert list((home / "agon" / "kernels").iterdir())
    assert not tiny.cache.exists()


NAMED = """
def use(x):
    of_modules = inner(x) + SIZE + places.SIZE + int(Kind.ANT)
    return of_modules + TABLE[0] + PAIR[1][0] + len(WORD) + {here}

def inner(x):
    return x + DEEP
"""


def digest_of(here: int = 1, **changed: object) -> str:
    """The digest of a kernel that names values of every sort, one of them changed."""
    kinds = {"ANT": changed.pop("ant", 1)}
    places = ModuleType("places")
    places.__dict__["SIZE"] = changed.pop("size_there", 5)
    namespace: dict[str, Any] = {
        "SIZE": 4,
        "DEEP": 2,
        "TABLE": np.array([1, 2]),
        "PAIR": (1, (2, 3)),
        "WORD": "a",
        "unused": 1,
        **changed,
        "places": places,
        "Kind": IntEnum("Kind", kinds),
    }
    exec(NAMED.format(here=here), namespace)  # noqa: S102 (the text above)
    namespace["inner"] = numba.njit(namespace["inner"])
    return kernel_digest(namespace["use"])


@pytest.mark.parametrize(
    "change",
    [
        {"here": 2},
        {"SIZE": 5},
        {"size_there": 6},
        {"DEEP": 3},
        {"ant": 2},
        {"TABLE": np.array([2, 2])},
        {"TABLE": np.array([1, 2], np.int8)},
        {"PAIR": (1, (4, 3))},
        {"WORD": "b"},
    ],
    ids=str,
)
def test_every_value_that_a_kernel_names_is_in_its_digest(change: dict[str, Any]) -> None:
    assert digest_of(**change) != digest_of()


def test_other_values_of_the_module_are_not_in_the_digest() -> None:
    assert digest_of(unused=2) == digest_of()


def test_a_value_that_cannot_be_compiled_in_is_refused() -> None:
    with pytest.raises(TypeError, match="kernel names SIZE, a list: expected a number, text"):
        digest_of(SIZE=[1])


# --- AGON_JIT ------------------------------------------------------------------------------------

WITHOUT_COMPILER = """
import sys
from itertools import count
from agon.games.bot import Budget
from agon.games.registry import all_games
from agon.simulate.cores import simulate_on_cores
for game in all_games():
    simulate_on_cores(game.simulation(), games=1, seed=1, cap=3, threads=1)
    position = game.start()
    for name in game.bot_names:
        looks = Budget(count().__next__, 50)  # time is up at the 50th look at the clock
        game.bot(name, 1).choose(position, position.to_act[0], looks)
loaded = sorted(name for name in sys.modules if name.split(".")[0] in ("numba", "llvmlite"))
assert not loaded, loaded
"""


@pytest.mark.system
def test_interpreted_rules_run_without_the_compiler() -> None:
    done = run_python(WITHOUT_COMPILER, AGON_JIT="0")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.system
@pytest.mark.parametrize("setting", ["", " 1"])
def test_another_setting_of_agon_jit_is_refused_in_one_line(setting: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agon", "simulate", "hive", "--games", "1"],
        env=os.environ | {"AGON_JIT": setting},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    expected = "expected 1 (compiled, the default) or 0 (interpreted)"
    assert done.stderr == f"agon: AGON_JIT={setting!r}: {expected}\n"


# --- numbers -------------------------------------------------------------------------------------


def seeded(seed: int) -> Any:
    record = new_records(CHANCE)[0]
    record.random = seed
    return record


def plain_mix(value: int) -> int:
    """The finaliser of SplitMix64, as its authors write it."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & WRAP
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & WRAP
    return value ^ (value >> 31)


def plain_stream(seed: int) -> Iterator[int]:
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & WRAP
        yield plain_mix(seed)


def plain_lowest_bit(mask: int) -> int:
    return next(bit for bit in range(63) if mask >> bit & 1)


@steady
@given(st.integers(0, 2**63 - 1))
@example(0)
@example(1)
@example(2**62)
@example(2**63 - 1)
def test_bit_count(mask: int) -> None:
    assert bit_count(mask) == bin(mask).count("1")


@steady
@given(st.integers(1, 2**63 - 1))
@example(1)
@example(2**62)
@example(2**63 - 1)
@example(2**63 - 2)
def test_lowest_bit(mask: int) -> None:
    assert lowest_bit(mask) == plain_lowest_bit(mask)


@steady
@given(st.integers(0, WRAP))
@example(0)
@example(1)
@example(2**63 - 1)
@example(2**63)
@example(WRAP)
def test_mix64(value: int) -> None:
    word: Any = np.uint64(value)
    assert mix64(word) == plain_mix(value)


@steady
@given(st.integers(0, WRAP))
@example(0)
@example(2**63)
@example(WRAP)
def test_next_random(seed: int) -> None:
    state = seeded(seed)
    stream = plain_stream(seed)
    assert [next_random(state) for _ in range(5)] == [next(stream) for _ in range(5)]


@steady
@given(st.integers(0, WRAP), st.integers(1, 2**31))
@example(WRAP, 1)
@example(0, 2**31)
def test_random_below(seed: int, bound: int) -> None:
    found = random_below(seeded(seed), bound)
    assert found == next(plain_stream(seed)) // 2**33 * bound // 2**31
    assert 0 <= found < bound


def test_random_below_is_fair() -> None:
    state, counts = seeded(1), [0] * 6
    for _ in range(6000):
        counts[random_below(state, 6)] += 1
    assert all(900 < count < 1100 for count in counts), counts


def test_the_published_values_of_splitmix64() -> None:
    """The test vector of https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64."""
    state = seeded(1234567)
    assert [next_random(state) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


MASKS = [0, 1, 2, 3, 0b1011000, 2**31, 2**62, 2**62 + 1, 2**63 - 2, 2**63 - 1]
VALUES = [*MASKS, 2**63, 2**63 + 1, WRAP - 1, WRAP]
BOUNDS = [1, 2, 3, 1000, 2**31 - 1, 2**31]

NUMBERS = """
import json, sys
import numpy as np
from agon.kernel import *
masks, values, bounds = json.loads(sys.argv[1])
found = [[int(bit_count(mask)) for mask in masks]]
found.append([int(lowest_bit(mask)) for mask in masks if mask])
found.append([int(mix64(np.uint64(value))) for value in values])
for value in values:
    state = new_records(np.dtype([("random", np.uint64)]))[0]
    state.random = value
    found.append([int(next_random(state)), *(int(random_below(state, b)) for b in bounds)])
    found.append([int(state.random)])
json.dump(found, sys.stdout)
"""


@pytest.mark.system
def test_interpreted_and_compiled_numbers_agree() -> None:
    arguments = json.dumps([MASKS, VALUES, BOUNDS])
    compiled, interpreted = (run_python(NUMBERS, arguments, AGON_JIT=jit) for jit in ("1", "0"))
    assert (compiled.stderr, interpreted.stderr) == ("", "")
    assert compiled.stdout == interpreted.stdout
    found = json.loads(interpreted.stdout)
    assert found[0] == [bin(mask).count("1") for mask in MASKS]
    assert found[1] == [plain_lowest_bit(mask) for mask in MASKS if mask]
    assert found[2] == [plain_mix(value) for value in VALUES]
    assert found[3][0] == next(plain_stream(VALUES[0]))


def test_records_are_passed_by_reference() -> None:
    records = new_records(CHANCE, 3)
    records[1].random = 7
    assert records.random.tolist() == [0, 7, 0]
