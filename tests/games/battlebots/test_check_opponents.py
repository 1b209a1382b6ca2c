"""The opponents of `agon bot check` bring about what they are there for."""

from __future__ import annotations

import pytest

from agon.games.battlebots.bots import RandomBot
from agon.games.battlebots.check_opponents import SITUATIONS
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.bot import Budget
from agon.games.check_opponents import Situation, find_situations

MATCHES, TURNS = 8, 200


def comes_up(situation: Situation, seed: int) -> bool:
    """Whether it does in one match against a bot that plays by chance."""
    seat = seed % 2
    opponent, bot = situation.opponent(seed), RandomBot(seed + 100)
    position = GAME.start(situation.added_to(BattlebotsOptions()), seed, 2)
    while position.to_act and position.turn < TURNS:
        turns = {
            place: (bot if place == seat else opponent).choose(position, place, Budget())
            for place in position.to_act
        }
        position = position.play(turns)
        if situation.occurs(position, seat):
            return True
    return False


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_comes_up_in_most_matches(situation: Situation) -> None:
    assert situation.can_occur(GAME.options())
    assert sum(comes_up(situation, seed) for seed in range(MATCHES)) > MATCHES // 2


def test_maps_for_two_are_for_two() -> None:
    eight = BattlebotsOptions(seats=8)
    possible = [situation.name for situation in SITUATIONS if situation.can_occur(eight)]
    assert possible == ["many armies"]


def test_the_game_names_them() -> None:
    assert find_situations(GAME) is SITUATIONS
    assert len({situation.name for situation in SITUATIONS}) == len(SITUATIONS)
