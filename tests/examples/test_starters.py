"""The starter bots that `agon bot new` writes: each builds, and plays legal moves only."""

from __future__ import annotations

import importlib.util
import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.build import run_build
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.hive.game import GAME, VARIANTS
from tests.cli.process import run_agon
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = {
    "c": "cc",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "python": "python3",
    "rust": "rustc",
}


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == tuple(TOOLS)


@pytest.mark.parametrize("language", present(TOOLS))
def test_it_plays_every_variant_without_a_fault(tmp_path: Path, language: str) -> None:
    starter = write_starter(GAME, language, "novice", tmp_path / "novice")
    build = run_build(starter.program)
    assert build.failure is None, build.output
    assert build.output == ""  # not even a warning
    for variant, queen_first in (("Base", "off"), ("Base+MLP", "on")):
        done = run_agon(
            *("match", "hive", str(tmp_path / "novice"), "random", "--games", "2"),
            *("--variant", variant, "--option", f"queen_first={queen_first}"),
            *("--cap", "100", "--time", "5s", "--json"),
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["faults"] == [0, 0]


def load_python_starter(tmp_path: Path) -> Any:
    write_starter(GAME, "python", "novice", tmp_path / "novice")
    spec = importlib.util.spec_from_file_location("novice", tmp_path / "novice" / "hive_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_starter_knows_just_the_legal_moves(tmp_path: Path) -> None:
    bot = load_python_starter(tmp_path)
    for seed, variant in enumerate(VARIANTS):
        chance = Random(seed)  # noqa: S311
        given = {"variant": variant, "queen_first": ("on", "off")[seed % 2]}
        hive, position = bot.Hive(given), GAME.start(GAME.parse_options(given))
        for _ in range(70):
            if not position.to_act:
                break
            (seat,) = position.to_act
            texts = [hive.write(move) for move in hive.legal_moves()] or ["pass"]
            moves = [position.parse_turn(seat, text) for text in texts]
            assert sorted(moves) == sorted(position.legal_moves(seat))
            chosen = chance.choice(position.legal_moves(seat))
            hive.play(hive.read(position.format_turn(seat, chosen)))
            position = position.play({seat: chosen})
