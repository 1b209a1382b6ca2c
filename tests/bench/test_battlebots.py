"""Battlebots' contests: who takes part, and that work counts what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.bench import battlebots
from agon.games.battlebots.game import GAME
from agon.games.battlebots.maps import make_map

if TYPE_CHECKING:
    from pathlib import Path

SMALL = make_map("fair", 2, 1, 5)


def names(contestants: object) -> list[str]:
    assert isinstance(contestants, tuple)
    return [contestant.name for contestant in contestants]


def test_everybody_takes_part_in_a_checkout() -> None:
    assert battlebots.missing_referee() is None
    usual, large = battlebots.battlebots_contests()
    plain = "plain Python with objects"
    interpreted = "Agon interpreted, with its start"
    assert names(usual.contestants) == ["Agon compiled", plain, interpreted]
    assert names(large.contestants) == ["Agon compiled", plain]
    assert (usual.title, usual.unit) == ("random play, 14 forts, 32 roads for 2", "turns")


def test_without_a_checkout_the_referee_is_missed(tmp_path: Path) -> None:
    missing = battlebots.missing_referee(tmp_path)
    assert missing is not None
    assert str(tmp_path) in missing
    assert battlebots.plain_contestants(SMALL, tmp_path) == []


def test_compiled_and_plain_work_count_turns() -> None:
    compiled = battlebots.compiled_turns(SMALL)()
    assert battlebots.BATCH <= compiled <= battlebots.BATCH * battlebots.CAP
    (plain,) = battlebots.plain_contestants(SMALL, battlebots.CHECKOUT)
    assert all(0 < plain.work() <= battlebots.CAP for _ in range(2))


def test_interpreted_work_counts_turns() -> None:
    assert 0 < battlebots.interpreted_turns()() <= 300


def test_every_kernel_can_be_touched() -> None:
    battlebots.touch_every_kernel()
    compiled: Any = GAME.simulation().playing_loop
    assert compiled.signatures
