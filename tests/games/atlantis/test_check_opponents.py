"""The opponents of `agon bot check` bring about what they are there for."""

from __future__ import annotations

import pytest

from agon.games.atlantis.bots import RandomBot
from agon.games.atlantis.check_opponents import SITUATIONS
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.bot import Budget
from agon.games.check_opponents import Situation, find_situations

MATCHES, TURNS = 8, 200


def comes_up(situation: Situation, seed: int) -> bool:
    """Whether it does in one match against a bot that plays by chance."""
    seat = seed % 2
    opponent, bot = situation.opponent(seed), RandomBot(seed + 100)
    options = situation.added_to(AtlantisOptions("rhombus"))
    position = GAME.start(options, seats=2)
    while position.to_act and position.turn < TURNS:
        if situation.occurs(position, seat):
            return True
        chooser = bot if position.seat == seat else opponent
        chosen = chooser.choose(position, position.seat, Budget())
        position = position.play({position.seat: position.forced.get(position.seat, chosen)})
    return False


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_comes_up_in_most_matches(situation: Situation) -> None:
    assert situation.can_occur(GAME.options())
    assert sum(comes_up(situation, seed) for seed in range(MATCHES)) > MATCHES // 2


def test_the_game_names_them() -> None:
    assert find_situations(GAME) is SITUATIONS
    assert len({situation.name for situation in SITUATIONS}) == len(SITUATIONS)
