"""The games' contests: who takes part, and that work counts what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.errors import AgonError
from agon.games.skyport.game import GAME, SkyportOptions
from benchmarks import hive, mebipenny, skyport
from benchmarks.atlantis import atlantis_contests
from benchmarks.battlebots import battlebots_contests
from benchmarks.random_play import compiled, interpreted, run_agon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.measure import Contest

PLAIN = {"plain Python with dictionaries", "plain Python with objects"}
INTERPRETED = "Agon interpreted, with its start"


def names(contest: Contest) -> list[str]:
    return [contestant.name for contestant in contest.contestants]


@pytest.mark.parametrize(
    "contests",
    [
        atlantis_contests(),
        battlebots_contests(),
        skyport.skyport_contests(),
        mebipenny.mebipenny_contests(),
    ],
)
def test_a_usual_and_a_large_match_are_held_to_plain_python(contests: Iterator[Contest]) -> None:
    usual, large, *_ = contests
    first, plain, interpreted = names(usual)
    assert (first, interpreted) == ("Agon compiled", INTERPRETED)
    assert plain in PLAIN
    assert names(large) == ["Agon compiled", plain]
    assert usual.contestants[1].work() > 0


def test_boards_are_filled_by_as_many_turns_as_there_are_cells() -> None:
    assert mebipenny.filled_boards(mebipenny.SIDES[0]).work() == mebipenny.PIECE


def test_compiled_work_counts_what_it_did() -> None:
    simulation = GAME.simulation(SkyportOptions(map="two", turns=3))
    played = compiled(simulation, batch=10, cap=5).work()
    assert 10 <= played <= 50
    assert hive.compiled_perft("Base", 3)() == 1440
    assert hive.mid_game_perft("Base")() == hive.mid_game_perft("Base")() > 0


def test_interpreted_work_counts_the_same() -> None:
    assert interpreted("nodes", "perft", "hive", "2").work() == hive.compiled_perft("Base", 2)()


def test_a_process_that_fails_is_told() -> None:
    with pytest.raises(AgonError, match="show chess: agon: game 'chess'"):
        run_agon("show", "chess")
