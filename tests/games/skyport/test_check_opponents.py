"""The opponents of `agon bot check` bring about what they are there for."""

from __future__ import annotations

import pytest

from agon.games.bot import Budget
from agon.games.check_opponents import Situation, find_situations
from agon.games.skyport.bots import RandomBot
from agon.games.skyport.check_opponents import SITUATIONS
from agon.games.skyport.game import GAME, SkyportOptions

MATCHES = 8


def comes_up(situation: Situation, seed: int) -> bool:
    """Whether it does in one match against a bot that plays by chance."""
    position = GAME.start(situation.added_to(SkyportOptions()), seed)
    seat = seed % position.seats
    bots = [situation.opponent(seed + other) for other in range(position.seats)]
    bots[seat] = RandomBot(seed + 100)
    while position.to_act:
        turns = {mover: bots[mover].choose(position, mover, Budget()) for mover in position.to_act}
        position = position.play(turns)
        if situation.occurs(position, seat):
            return True
    return False


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_comes_up_in_most_matches(situation: Situation) -> None:
    assert situation.can_occur(SkyportOptions())
    assert sum(comes_up(situation, seed) for seed in range(MATCHES)) > MATCHES // 2


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_does_not_occur_at_the_start(situation: Situation) -> None:
    position = GAME.start(situation.added_to(SkyportOptions()))
    assert not any(situation.occurs(position, seat) for seat in range(position.seats))


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_can_be_added_to_any_options(situation: Situation) -> None:
    added = situation.added_to(SkyportOptions(map="six", turns=3))
    assert {name: str(getattr(added, name)) for name in situation.options} == situation.options
    assert GAME.start(added).seats in (2, 4, 6)


def test_the_game_names_them() -> None:
    assert find_situations(GAME) is SITUATIONS
    assert len({situation.name for situation in SITUATIONS}) == len(SITUATIONS)
