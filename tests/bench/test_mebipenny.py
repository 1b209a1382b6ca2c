"""MebiPenny's contests: who takes part, and that work counts what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.bench import mebipenny
from agon.games.mebipenny.game import GAME, MebiPennyOptions

if TYPE_CHECKING:
    from pathlib import Path

SMALL = MebiPennyOptions(4, 5, 2)


def names(contestants: object) -> list[str]:
    assert isinstance(contestants, tuple)
    return [contestant.name for contestant in contestants]


def test_everybody_takes_part_in_a_checkout() -> None:
    assert mebipenny.missing_referee() is None
    usual, large, sizes = mebipenny.mebipenny_contests()
    plain = "plain Python with dictionaries"
    interpreted = "Agon interpreted, with its start"
    assert names(usual.contestants) == ["Agon compiled", plain, interpreted]
    assert names(large.contestants) == ["Agon compiled", plain]
    assert (usual.title, usual.unit) == ("random play, 15 by 15 for 2", "plies")
    assert names(sizes.contestants) == [f"{side} by {side}" for side in mebipenny.SIDES]


def test_without_a_checkout_the_referee_is_missed(tmp_path: Path) -> None:
    missing = mebipenny.missing_referee(tmp_path)
    assert missing is not None
    assert str(tmp_path) in missing
    assert mebipenny.plain_contestants(SMALL, tmp_path) == []


def test_compiled_and_plain_work_count_turns() -> None:
    compiled = mebipenny.compiled_plies(GAME.simulation(SMALL))()
    assert mebipenny.BATCH <= compiled <= mebipenny.BATCH * mebipenny.CAP
    (plain,) = mebipenny.plain_contestants(SMALL, mebipenny.CHECKOUT)
    played = [plain.work() for _ in range(3)]
    assert all(0 < turns <= mebipenny.CAP for turns in played)


def test_boards_are_filled_by_as_many_turns_as_there_are_cells() -> None:
    side = mebipenny.SIDES[0]
    assert mebipenny.filled_boards(side)() == mebipenny.PIECE


def test_interpreted_work_counts_turns() -> None:
    assert 0 < mebipenny.interpreted_plies(SMALL)() <= 3000


def test_every_kernel_can_be_touched() -> None:
    mebipenny.touch_every_kernel()
    compiled: Any = GAME.simulation().playing_loop
    assert compiled.signatures
