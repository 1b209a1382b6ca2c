"""What a contest asks of its game: how many play, and when a match ends at the latest."""

from __future__ import annotations

import pytest

from agon.arena.contests.terms import USUAL_TURNS, Terms, check_terms, settle_turns
from agon.errors import SettingError
from agon.ranker.formats import Format
from tests.toy_game import ToyGame, ToyOptions


class CrowdGame(ToyGame):
    """A toy for many."""

    seats = range(3, 13)


@pytest.mark.parametrize("seats", [3, 12])
def test_as_many_play_as_the_game_is_for(seats: int) -> None:
    terms = Terms(seats=seats)
    assert check_terms(CrowdGame(), Format.ROUND_ROBIN, terms) == terms


@pytest.mark.parametrize("seats", [2, 13])
def test_other_numbers_are_refused(seats: int) -> None:
    with pytest.raises(SettingError, match=f"{seats} seats: Toy is for 3 to 12"):
        check_terms(CrowdGame(), Format.ROUND_ROBIN, Terms(seats=seats))


def test_a_game_that_does_not_say_how_long_it_lasts_has_the_usual_limit() -> None:
    assert settle_turns(ToyGame(), Terms(), ToyOptions()).turns == USUAL_TURNS
    assert settle_turns(ToyGame(), Terms(turns=7), ToyOptions()).turns == 7
