"""Small faults put into the code, one at a time: do the related tests notice? (`make mutants`)

    python -m tests.mutants [--each N] [--seed S] [PART ...]

Cosmic Ray knows the faults: another operator, another number, an exception that is not caught. Here
a sample of them is drawn, the same for the same seed. Each is put into a copy of the tree, where
the related tests run up to the first that fails; that one must pass without the fault. Places in
type annotations and in decorators' arguments are left out: nothing looks at them.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
import shutil
import sys
import tempfile
import warnings
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator

TREE = ("src", "tests", "docs", "examples", "benchmarks", "pyproject.toml", "README.md")
PATIENCE_S = 900  # then the fault counts as noticed: it may be an endless loop


@dataclass(frozen=True, slots=True)
class Part:
    """Code that faults are put into, and the tests that should notice."""

    code: tuple[str, ...]
    tests: tuple[str, ...]

    def modules(self) -> list[Path]:
        return [path for pattern in self.code for path in sorted(Path("src/agon").glob(pattern))]

    def related(self, module: Path) -> list[str]:
        """The module's doctests and the tests that name it, those of its own name first."""
        stem = module.stem.removesuffix("s")
        found = [path for pattern in self.tests for path in sorted(Path("tests").glob(pattern))]
        found = [path for path in found if "browser" not in path.stem]
        files = [path for path in found if stem in path.stem or stem in path.read_text()]
        files.sort(key=lambda path: stem not in path.stem)
        return [str(path) for path in (module, *(files or found))]


PARTS = {
    "match": Part(
        ("match/*.py",),
        ("match/test_*.py", "arbiter/test_arbiter.py", "games/atlantis/test_transcript.py"),
    ),
    "arbiter": Part(("arbiter/*.py",), ("arbiter/test_*.py", "test_api.py", "cli/test_bot.py")),
    "ranker": Part(("ranker/*.py",), ("ranker/test_*.py",)),
    "datastore": Part(("datastore/*.py",), ("datastore/test_*.py",)),
    "sandbox": Part(
        ("sandbox/*.py",),
        ("sandbox/test_*.py", "arbiter/test_build.py", "arbiter/test_sandboxed.py"),
    ),
    "accounts": Part(
        ("website/accounts/*.py", "website/account_pages/*.py", "website/sessions.py"),
        ("website/accounts/test_*.py", "website/test_authorisation.py"),
    ),
    "security": Part(
        ("website/http/*.py", "website/visibility.py", "website/identity.py"),
        (
            "website/http/test_*.py",
            "website/accounts/test_api.py",
            "website/test_authorisation.py",
            "website/test_visibility.py",
        ),
    ),
    "uploads": Part(
        ("website/bots/*.py", "website/upload_limits.py", "sandbox/unpack.py"),
        (
            "website/bots/test_*.py",
            "website/ranking/test_pages.py",
            "arena/ladder/test_newcomers.py",
            "sandbox/test_unpack.py",
        ),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Do the tests notice small faults?")
    parser.add_argument("--each", type=int, default=3, help="faults in each part")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    given = parser.parse_args()
    noticed = tried = 0
    with tempfile.TemporaryDirectory(prefix="agon-mutants-") as folder:
        copy_tree(Path(folder))
        for name in given.parts or PARTS:
            for spec in draw(PARTS[name], given.each, Random(f"{given.seed} {name}")):  # noqa: S311
                tried += 1
                noticed += is_noticed(spec, PARTS[name].related(spec.module_path))
    say(f"{noticed} of {tried} noticed")


def copy_tree(folder: Path) -> None:
    """Go to a copy of the tree, so that a run that is killed leaves no fault behind."""
    for name in TREE:
        if Path(name).is_dir():
            shutil.copytree(name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(name, folder)
    os.chdir(folder)
    folder.chmod(0o755)  # bots run as another user
    os.environ["PYTHONPATH"] = str(folder / "src")


def command(tests: list[str]) -> str:
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    return shlex.join([*words, "-m", "not slow", *tests])


def draw(part: Part, count: int, rng: Random) -> list[MutationSpec]:
    """A sample: first of the places, then of what can be done there."""
    places: dict[tuple[object, ...], list[MutationSpec]] = {}
    for module in part.modules():
        for spec in possible_faults(module):
            places.setdefault((spec.module_path, spec.start_pos, spec.end_pos), []).append(spec)
    drawn = (rng.choice(specs) for specs in rng.sample(list(places.values()), len(places)))
    return [*islice(filter(is_python, drawn), count)]


def is_python(spec: MutationSpec) -> bool:
    """Whether the code with the fault can be compiled, without a warning: else anything notices."""
    operator = get_operator(spec.operator_name)()
    code = mutate_code(spec.module_path.read_text(), operator, spec.occurrence)
    try:
        with warnings.catch_warnings(action="error"):
            compile(code, spec.module_path, "exec")
    except (SyntaxError, SyntaxWarning):
        return False
    return True


def possible_faults(module: Path) -> Iterator[MutationSpec]:
    source = module.read_text()
    nodes, idle = list(ast_nodes(get_ast(source))), list(idle_places(source))
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments():
            continue
        places = (place for node in nodes for place in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(places):
            if not any(first <= start and end <= last for first, last in idle):
                yield MutationSpec(module, name, occurrence, start, end)


def idle_places(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where the code is for type checkers and dataclasses alone."""
    for node in ast.walk(ast.parse(source)):
        found: list[ast.AST | None] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found = [node.returns]
            case ast.arg() | ast.AnnAssign():
                found = [node.annotation]
            case ast.ClassDef():
                found = list(node.decorator_list)
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                found = [node]
        for one in found:
            if isinstance(one, ast.expr | ast.stmt):
                end = (one.end_lineno or one.lineno, one.end_col_offset or one.col_offset)
                yield (one.lineno, one.col_offset), end


def is_noticed(spec: MutationSpec, tests: list[str]) -> bool:
    result = mutate_and_test([spec], command(tests), PATIENCE_S)
    output, diff = result.output or "", (result.diff or "").splitlines()
    if result.test_outcome is TestOutcome.INCOMPETENT:
        sys.exit(f"{spec}: the tests cannot be run:\n{output[-3000:]}")
    is_killed = result.test_outcome is TestOutcome.KILLED
    say(f"{'noticed' if is_killed else 'NOT noticed'}: {spec.module_path}:{spec.start_pos[0]}")
    say("\n".join(f"    {line}" for line in diff if re.match(r"[-+](?![-+]{2})", line)))
    failed = re.search(r"^(?:FAILED|ERROR) ([^\s[]+)", output, re.MULTILINE)
    if is_killed:
        say(f"    {failed[1] if failed else output[-80:].strip()}")
    if failed and run_tests(command([failed[1]]), PATIENCE_S)[0] is not TestOutcome.SURVIVED:
        sys.exit("    which fails without the fault too")
    return is_killed


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
