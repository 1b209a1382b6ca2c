"""The README's and docs/python.md's examples are run; the pages of games name all their files."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.process import run_agon

README = Path(__file__).parent.parent / "README.md"
PYTHON = README.parent / "docs" / "python.md"
GAMES = README.parent / "src" / "agon" / "games"
BLOCKS = re.findall(r"```console\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Each command of the console blocks with what the README says that it prints."""
    found = []
    for block in BLOCKS:
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize("page", [README, PYTHON], ids=lambda page: page.name)
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # they write files
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 4
    assert result.failed == 0


@pytest.mark.system
@pytest.mark.parametrize(("command", "expected"), commands())
def test_console_examples(command: str, expected: str) -> None:
    words = shlex.split(command)
    assert words[0] == "agon"
    done = run_agon(*words[1:])
    assert done.returncode == 0, done.stderr
    checker = doctest.OutputChecker()
    assert checker.check_output(expected, done.stdout, doctest.ELLIPSIS), done.stdout


@pytest.mark.parametrize(
    "page", sorted(GAMES.glob("*/README.md")), ids=lambda page: page.parent.name
)
def test_the_page_of_a_game_names_its_files(page: Path) -> None:
    named = set(re.findall(r"`(\w+\.py)`", page.read_text("utf-8")))
    assert {module.name for module in page.parent.glob("*.py")} - named == {"__init__.py"}
