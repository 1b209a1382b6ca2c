"""The opponents of `agon bot check` bring about what they are there for."""

from __future__ import annotations

import pytest

from agon.games.bot import Budget
from agon.games.check_opponents import Situation, find_situations
from agon.games.hive.check_opponents import SITUATIONS
from agon.games.hive.game import GAME
from tests.toy_game import GAME as TOY_GAME

EVERYTHING = GAME.parse_options({"variant": "Base+MLP", "queen_first": "on"})
MATCHES, TURNS = 8, 280


def comes_up(situation: Situation, seed: int) -> bool:
    """Whether it does in one match against a bot that plays by chance."""
    seat = seed % 2
    opponent, bot = situation.opponent(seed), GAME.bot("random", seed + 100)
    position = GAME.start(situation.added_to(EVERYTHING))
    for _ in range(TURNS):
        if not position.to_act:
            return False
        (acting,) = position.to_act
        chooser = bot if acting == seat else opponent
        position = position.play({acting: chooser.choose(position, acting, Budget())})
        if situation.occurs(position, seat):
            return True
    return False


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_comes_up_in_most_matches(situation: Situation) -> None:
    assert situation.can_occur(EVERYTHING)
    assert sum(comes_up(situation, seed) for seed in range(MATCHES)) > MATCHES // 2


def test_what_the_options_exclude_is_not_tried() -> None:
    plain = GAME.options()
    names = {situation.name for situation in SITUATIONS if situation.can_occur(plain)}
    assert "thrown tiles" not in names
    assert "a queen as the first tile" not in names
    assert len(names) == 4


def test_options_that_a_situation_needs_are_added() -> None:
    situation = SITUATIONS[0]
    assert situation.added_to(EVERYTHING) == GAME.parse_options(
        {"variant": "Base+MLP", "queen_first": "on", "repetition": "off"}
    )


def test_a_game_has_situations_or_none() -> None:
    assert find_situations(GAME) is SITUATIONS
    assert find_situations(TOY_GAME) == ()
