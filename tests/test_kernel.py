"""The compiler's one place: nothing stale, nothing hidden, the same numbers either way."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import agon
from agon.kernel import (
    bit_count,
    kernel_modules,
    lowest_bit,
    mix64,
    new_records,
    next_random,
    random_below,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(agon.__file__).parent
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


# --- a stale cache is impossible -----------------------------------------------------------------

RULES = '''"""A kernel file that another one imports."""

from agon.kernel import kernel

STEP = 3


@kernel
def step(x: int) -> int:
    return x + STEP
'''

PLAY = '''"""A kernel file that no edit touches."""

from agon.kernel import kernel
from agon.games.tiny.rules import STEP, step


@kernel
def walk(steps: int) -> int:
    x = 0
    for _ in range(steps):
        x = step(x)
    return 100 * x + STEP
'''

WALK = """
import json, sys
from agon.kernel import on_compile
compiled = []
on_compile(lambda name, begins: compiled.append(name))
from agon.games.tiny.play import walk
json.dump([walk(4), bool(compiled), walk.__module__, sys.modules["agon"].__file__], sys.stdout)
"""


class Tiny:
    """A package with the real kernel.py and two kernel files of its own, and a cache for it."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "agon"
        self.cache = folder / "cache"
        self.rules = self.package / "games" / "tiny" / "rules.py"
        self.rules.parent.mkdir(parents=True)
        for name in ("__init__.py", "errors.py", "kernel.py"):
            shutil.copy(PACKAGE / name, self.package / name)
        for package in (self.package / "games", self.rules.parent):
            (package / "__init__.py").touch()
        self.rules.write_text(RULES)
        (self.rules.parent / "play.py").write_text(PLAY)

    def edit(self, old: str, new: str, *, secretly: bool = False) -> None:
        """Change the imported file; secretly: its size and times stay as they are."""
        before = self.rules.stat()
        text = self.rules.read_text()
        assert old in text
        self.rules.write_text(text.replace(old, new))
        if secretly:
            os.utime(self.rules, ns=(before.st_atime_ns, before.st_mtime_ns))
            after = self.rules.stat()
            assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)

    def environment(self) -> dict[str, str]:
        """What lets a process use this package and no other."""
        # Python's own cache of bytecode looks at size and time alone: kept out of this.
        return {
            "PYTHONPATH": str(self.package.parent),
            "AGON_CACHE": str(self.cache),
            "AGON_JIT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def walk(self, **environment: str) -> tuple[int, bool]:
        """What a new process finds, and whether it compiled anything."""
        done = run_python(WALK, **self.environment() | environment)
        assert done.returncode == 0, done.stderr
        result, compiled, module, origin = json.loads(done.stdout)
        assert (module, Path(origin).parent) == ("agon.games.tiny.play", self.package)
        return result, compiled


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


def test_compiled_code_is_used_again_until_an_imported_file_changes(tiny: Tiny) -> None:
    assert tiny.walk() == (1203, True)
    assert tiny.walk() == (1203, False)
    tiny.edit("STEP = 3", "STEP = 5")
    assert tiny.walk() == (2005, True)
    tiny.edit("x + STEP", "x + STEP + 1")
    assert tiny.walk() == (2405, True)
    tiny.edit("x + STEP + 1", "x + STEP")
    assert tiny.walk() == (2005, False)


def test_an_edit_that_keeps_size_and_time_is_seen(tiny: Tiny) -> None:
    assert tiny.walk() == (1203, True)
    tiny.edit("STEP = 3", "STEP = 7", secretly=True)
    assert tiny.walk() == (2807, True)
    tiny.edit("x + STEP", "x - STEP", secretly=True)
    assert tiny.walk() == (-2793, True)


def test_old_bytecode_is_not_compiled_for_a_new_text(tiny: Tiny) -> None:
    """Python itself goes on with old bytecode while size and time are the same, but not longer."""
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
    assert tiny.walk(**bytecode) == (1203, True)
    tiny.edit("STEP = 3", "STEP = 7", secretly=True)
    tiny.walk(**bytecode)
    os.utime(tiny.rules, (1, 1))
    assert tiny.walk(**bytecode) == (2807, True)


WALK_LATE = """
import sys
from importlib import import_module
from pathlib import Path
import agon.kernel  # from here on the cache has its name
rules = Path(sys.argv[1])
text = rules.read_text()
rules.write_text(text.replace("STEP = 3", "STEP = 9"))
from agon.games.tiny.play import walk
assert walk(4) == 3609
rules.write_text(text)
"""


def test_an_edit_while_a_process_runs_does_not_outlive_it(tiny: Tiny) -> None:
    done = run_python(WALK_LATE, str(tiny.rules), **tiny.environment())
    assert done.returncode == 0, done.stderr
    assert tiny.walk()[0] == 1203


@pytest.mark.parametrize("below", ["a_file", "a_file/deeper"])
def test_a_cache_folder_that_cannot_be_written_is_done_without(tiny: Tiny, below: str) -> None:
    file = tiny.package.parent / "a_file"
    file.write_text("no folder")
    spare = tiny.package.parent / "spare"
    spare.mkdir()
    cache = str(tiny.package.parent / below)
    assert tiny.walk(AGON_CACHE=cache, TMPDIR=str(spare)) == (1203, True)
    assert file.read_text() == "no folder"
    assert not tiny.cache.exists()


def test_the_cache_folder_follows_the_environment(tiny: Tiny) -> None:
    home = tiny.package.parent / "home"
    tiny.walk(AGON_CACHE="", XDG_CACHE_HOME=str(home))
    assert list((home / "agon" / "kernels").iterdir())
    assert not tiny.cache.exists()


# --- what can end up in compiled code ------------------------------------------------------------

MAY_IMPORT = {"__future__", "typing", "numpy", "agon.errors", "agon.kernel"}


def module_name(path: Path) -> str:
    return ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts))


def syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def has_kernel(tree: ast.Module) -> bool:
    """Whether anything in the file is decorated with the name `kernel`, in whatever way."""
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and getattr(node, "id", getattr(node, "attr", None)) == "kernel"
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for decorator in function.decorator_list
        for node in ast.walk(decorator)
    )


def running_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything in the tree but what stands there for the type checker only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from running_nodes(node)


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Every module that the file takes something from; `from a.b import c` may mean a.b.c."""
    for node in running_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports only"
            assert node.module
            inside = PACKAGE.parent.joinpath(*node.module.split("."))
            for alias in node.names:
                is_module = (inside / f"{alias.name}.py").exists()
                yield f"{node.module}.{alias.name}" if is_module else node.module


KERNEL_FILES = [path for path in PACKAGE.rglob("*.py") if has_kernel(syntax_tree(path))]


def test_every_file_with_a_kernel_has_a_fingerprint_when_it_is_loaded() -> None:
    assert len(KERNEL_FILES) > 5
    for path in KERNEL_FILES:
        import_module(module_name(path))
    assert {module_name(path) for path in KERNEL_FILES} <= set(kernel_modules())


@pytest.mark.parametrize("path", KERNEL_FILES, ids=module_name)
def test_kernel_files_import_only_each_other(path: Path) -> None:
    imported = set(imported_modules(syntax_tree(path)))
    if path == PACKAGE / "kernel.py":  # the ground: it may use the world, but nothing of ours
        assert {name for name in imported if name.startswith("agon")} == {"agon.errors"}
    else:
        assert imported <= MAY_IMPORT | {module_name(file) for file in KERNEL_FILES}


def test_the_check_of_imports_sees_every_way_to_import() -> None:
    tree = ast.parse(
        "import json, os.path\n"
        "from agon.games.hive import rules\n"
        "from agon.games.hive.tile import Tile\n"
        "if TYPE_CHECKING:\n    import random\n"
        "def late():\n    from agon import cli\n"
    )
    assert list(imported_modules(tree)) == [
        "json",
        "os.path",
        "agon.games.hive.rules",
        "agon.games.hive.tile",
        "agon",
    ]


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


def test_interpreted_rules_run_without_the_compiler() -> None:
    done = run_python(WITHOUT_COMPILER, AGON_JIT="0")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("setting", ["7", "", "on", " 1"])
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
