"""Examples of the README and of docs/python.md are run, and what they print is compared."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.process import run_agon

README = Path(__file__).parent.parent / "README.md"
PYTHON = README.parent / "docs" / "python.md"
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
    assert result.attempted > 5
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
