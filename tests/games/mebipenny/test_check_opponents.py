"""The opponents of `agon bot check` bring about what they are there for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.games.bot import Budget
from agon.games.check_opponents import Situation, find_situations
from agon.games.mebipenny.check_opponents import SITUATIONS
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS, Move
from agon.games.random_bot import RandomBot

if TYPE_CHECKING:
    from agon.games.mebipenny.position import MebiPennyPosition

MATCHES, TURNS = 8, 400


class Player(RandomBot):
    """Plays by chance, but passes only if it must, as the starters do."""

    def tile_or_pass(self, position: MebiPennyPosition) -> Move:
        seat = position.next_seat
        while True:
            move: Move = self.choose(position, seat, Budget())
            if move != PASS or len(position.moves) == 1:
                return move


def comes_up(situation: Situation, options: MebiPennyOptions, seed: int) -> bool:
    """Whether it does in one match against a bot that plays by chance."""
    position = GAME.start(situation.added_to(options), seed)
    seat = seed % position.seats
    bot = Player(seed + 100)
    opponents = [situation.opponent(seed + other) for other in range(position.seats)]
    while position.to_act and position.turn < TURNS:
        if situation.occurs(position, seat):
            return True
        mover = position.next_seat
        if mover == seat:
            move = bot.tile_or_pass(position)
        else:
            move = opponents[mover].choose(position, mover, Budget())
        position = position.play_move(move)
    return False


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_it_comes_up_in_most_matches(situation: Situation) -> None:
    options = MebiPennyOptions()
    assert situation.can_occur(options)
    assert sum(comes_up(situation, options, seed) for seed in range(MATCHES)) > MATCHES // 2


def test_the_game_names_them() -> None:
    assert find_situations(GAME) is SITUATIONS
    assert len({situation.name for situation in SITUATIONS}) == len(SITUATIONS)
