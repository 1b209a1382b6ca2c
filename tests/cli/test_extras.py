"""Plain `agon` plays, simulates and checks; what needs an extra says which to install."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agon
from agon.cli.app import WEB_MODULES

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(agon.__file__).parent
WITH_PLAIN = {"markdown_it", "markupsafe", "pydantic"}  # Rich, Alembic and Typer bring them along

PLAIN = """
import sys
for name in sys.argv[2].split():
    sys.modules[name] = None  # as if it were not installed
from typer.testing import CliRunner
from agon.cli.app import app

def run(line):
    result = CliRunner().invoke(app, line.split())
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result

data = "--data " + sys.argv[1]
for line in (
    "match hive random random --cap 4",
    "simulate hive --games 1 --cap 4",
    f"tournament hive random greedy --name t --rounds 1 --cap 4 {data}",
    f"db check {data}",
    "bot --help",
):
    result = run(line)
    assert result.exit_code == 0, (line, result.output)
for line in sys.stdin.read().splitlines():
    result = run(line)
    assert (result.exit_code, result.stdout) == (2, ""), (line, result.output)
    print(result.stderr, end="")
"""


@pytest.mark.system
def test_without_extras_agon_plays_and_names_what_is_missing(tmp_path: Path) -> None:
    commands = {
        "serve --port 0": "agon: agon serve needs WEB: install agon[web]",
        f"user add bob --data {tmp_path}": "agon: agon user needs WEB: install agon[web]",
        "mebipenny serve": "agon: agon mebipenny needs WEB: install agon[web]",
        "db check --data postgresql://db.local/agon": (
            "agon: PostgreSQL needs psycopg: install agon[postgres]"
        ),
    }
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, str(tmp_path), " ".join([*WEB_MODULES, "psycopg"])],
        input="\n".join(commands),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = re.sub(rf"needs ({'|'.join(WEB_MODULES)}):", "needs WEB:", done.stdout)
    assert told.splitlines() == list(commands.values())


def third_party(folder: Path) -> Iterator[tuple[str, str]]:
    """What the modules in a folder import from elsewhere: module, file."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                if top != "agon" and top not in sys.stdlib_module_names:
                    yield top, str(path.relative_to(folder))


def test_imports_are_dependencies_of_the_package_or_of_the_extra_web() -> None:
    plain = {re.split(r"[^\w.-]", line)[0] for line in requires("agon") or () if ";" not in line}
    origin = packages_distributions()
    for module, file in third_party(PACKAGE):
        if module in WEB_MODULES | WITH_PLAIN:
            assert file.startswith(("website/", "servers/", "cli/")), (module, file)
        else:
            assert plain.intersection(map(str.lower, origin[module])), (module, file)
