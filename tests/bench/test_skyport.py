"""Skyport's contests: who takes part, and that work counts what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.bench import skyport
from agon.games.skyport.game import GAME, SkyportOptions

if TYPE_CHECKING:
    from pathlib import Path

SHORT = SkyportOptions(map="two", turns=3)


def names(contestants: object) -> list[str]:
    assert isinstance(contestants, tuple)
    return [contestant.name for contestant in contestants]


def test_everybody_takes_part_in_a_checkout() -> None:
    assert skyport.missing_referee() is None
    usual, large = skyport.skyport_contests()
    plain = "plain Python with dictionaries"
    interpreted = "Agon interpreted, with its start"
    assert names(usual.contestants) == ["Agon compiled", plain, interpreted]
    assert names(large.contestants) == ["Agon compiled", plain]
    assert (usual.title, usual.unit) == ("random play, 11 by 11 for 2", "plies")
    assert large.title.endswith("for 8")


def test_without_a_checkout_the_referee_is_missed(tmp_path: Path) -> None:
    missing = skyport.missing_referee(tmp_path)
    assert missing is not None
    assert str(tmp_path) in missing
    assert skyport.plain_contestants(SHORT, tmp_path) == []


def test_compiled_and_plain_work_count_turns() -> None:
    """Three turns of each seat and the loadouts; the turns of the dead are played by nobody."""
    most = 2 * SHORT.turns + 1
    assert skyport.BATCH < skyport.compiled_plies(SHORT)() <= skyport.BATCH * most
    (plain,) = skyport.plain_contestants(SHORT, skyport.CHECKOUT)
    assert all(1 < plain.work() <= most for _ in range(3))


def test_interpreted_work_counts_turns() -> None:
    assert 10 < skyport.interpreted_plies(SHORT)() <= 10 * (2 * SHORT.turns + 1)


def test_every_kernel_can_be_touched() -> None:
    skyport.touch_every_kernel()
    compiled: Any = GAME.simulation().playing_loop
    assert compiled.signatures
