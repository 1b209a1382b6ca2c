"""Atlantis's contests: who takes part, and that work counts what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.bench import atlantis
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.game import GAME

if TYPE_CHECKING:
    from pathlib import Path

SMALL = standard_board("triangle", 2, 2)


def names(contestants: object) -> list[str]:
    assert isinstance(contestants, tuple)
    return [contestant.name for contestant in contestants]


def test_everybody_takes_part_in_a_checkout() -> None:
    assert atlantis.missing_referee() is None
    usual, large = atlantis.atlantis_contests()
    plain = "plain Python with dictionaries"
    interpreted = "Agon interpreted, with its start"
    assert names(usual.contestants) == ["Agon compiled", plain, interpreted]
    assert names(large.contestants) == ["Agon compiled", plain]
    assert (usual.title, usual.unit) == ("random play, triangle 6 for 2", "plies")


def test_without_a_checkout_the_referee_is_missed(tmp_path: Path) -> None:
    missing = atlantis.missing_referee(tmp_path)
    assert missing is not None
    assert str(tmp_path) in missing
    assert atlantis.plain_contestants(SMALL, tmp_path) == []


def test_compiled_and_plain_work_count_turns() -> None:
    compiled = atlantis.compiled_plies(SMALL)()
    assert atlantis.BATCH <= compiled <= atlantis.BATCH * atlantis.CAP
    (plain,) = atlantis.plain_contestants(SMALL, atlantis.CHECKOUT)
    played = [plain.work() for _ in range(3)]
    assert all(0 < turns <= atlantis.CAP for turns in played)


def test_interpreted_work_counts_turns() -> None:
    assert 0 < atlantis.interpreted_plies("triangle", 2)() <= 300


def test_every_kernel_can_be_touched() -> None:
    atlantis.touch_every_kernel()
    compiled: Any = GAME.simulation().playing_loop
    assert compiled.signatures
