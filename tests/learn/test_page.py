"""The page about learning is true: its examples run, and its tables are made from the code."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import TYPE_CHECKING

from agon.learn.describe import describe
from tests.learn.test_batch import names

if TYPE_CHECKING:
    import pytest

    from agon.games.game import Game

PAGE = Path(__file__).parent.parent.parent / "docs" / "learn.md"


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@names
def test_the_numbers_of_each_game(game: Game) -> None:
    assert describe(game.learning()) in PAGE.read_text("utf-8")
