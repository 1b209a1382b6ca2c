"""The bots of examples/bots: they build, and play whole matches without a fault."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from agon.arbiter.build import run_build
from agon.arbiter.entrant import load_program
from tests.cli.process import run_agon
from tests.examples.toolchain import present

BOTS = Path(__file__).parents[2] / "examples" / "bots"
TOOLS = {"python": "python3", "javascript": "node", "c": "cc"}


def built(tmp_path: Path, language: str) -> Path:
    """A copy of an example bot, ready to run."""
    folder = shutil.copytree(BOTS / language, tmp_path / language)
    build = run_build(load_program(folder))
    assert build.failure is None, build.output
    assert build.output == ""  # not even a warning
    return folder


def test_every_example_is_tested() -> None:
    assert {folder.name for folder in BOTS.iterdir() if folder.is_dir()} == set(TOOLS)


@pytest.mark.parametrize("language", present(TOOLS))
@pytest.mark.parametrize("variant", ["Base", "Base+MLP"])
def test_it_plays_without_a_fault(tmp_path: Path, language: str, variant: str) -> None:
    folder = built(tmp_path, language)
    done = run_agon(
        *("match", "hive", str(folder), "random", "--games", "2", "--cap", "60"),
        *("--variant", variant, "--time", "30s", "--seed", "7", "--json"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["faults"] == [0, 0]
