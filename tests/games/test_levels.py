"""Levels of strength: `search:1` to `search:10`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.entrant import find_entrant
from agon.errors import SettingError
from agon.games.bot import Budget
from agon.games.level_bot import LevelBot
from agon.games.levels import COUNT, level_names, make_level
from agon.games.registry import all_games, find_game
from tests import toy_game

if TYPE_CHECKING:
    from agon.games.game import Game

games = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


@games
def test_every_level_chooses_turns_that_are_legal(game: Game) -> None:
    position, chance = game.start(seed=2), Random(1)  # noqa: S311
    bots = [game.bot(name, 3) for name in game.level_names]
    for turn in range(6):
        if position.outcome is not None:  # all have passed
            assert turn > 1
            break
        for bot in bots:
            turns = {s: bot.choose(position, s, Budget(depth=1)) for s in position.to_act}
            after = position.play(turns)  # raises IllegalMoveError for one that is not
            assert after.turn > position.turn
        position = position.play({s: position.random_turn(s, chance) for s in position.to_act})


@games
def test_ratings_are_of_all_levels_and_do_not_fall(game: Game) -> None:
    assert len(game.level_ratings) == len(game.level_names) == COUNT
    assert list(game.level_ratings) == sorted(game.level_ratings)
    assert game.level_ratings[0] == 0 < game.level_ratings[5] < game.level_ratings[-1]


def test_the_stronger_bot_chooses_its_share_of_the_turns() -> None:
    game = find_game("hive")
    chosen = []

    class Noted:
        def __init__(self, name: str) -> None:
            self.name = name

        def choose(self, position: Any, seat: int, budget: Budget) -> str:
            chosen.append(self.name)
            return self.name

    bot: Any = LevelBot(game, 7, 1)
    bot._weaker, bot._stronger = Noted("greedy"), Noted("search")
    for _ in range(1000):
        bot.choose(game.start(), 0, Budget(depth=1))
    assert make_level(game, 7).share == 35
    assert 300 < chosen.count("search") < 400


def test_the_first_level_is_the_weakest_bot_and_the_last_the_strongest() -> None:
    game = find_game("hive")
    first, last = make_level(game, 1), make_level(game, COUNT)
    assert (first.weaker, first.share) == ("random", 0)
    assert (last.stronger, last.share) == ("search", 100)


def test_levels_are_named_on_the_command_line_and_nothing_else_is() -> None:
    game = find_game("hive")
    assert find_entrant(game, "search:3").built_in == "search:3"
    for wrong in ("search:0", "search:11", "search:", "search:03", "greedy:2"):
        with pytest.raises(SettingError, match="greedy, search, search:1 to search:10, a folder"):
            find_entrant(game, wrong)
        with pytest.raises(SettingError, match="hive has random, greedy, search, search:1 to"):
            game.bot(wrong, 1)


def test_a_game_with_few_bots_has_no_levels() -> None:
    assert len(toy_game.GAME.bot_names) < 3
    assert level_names(toy_game.GAME) == ()
    assert not toy_game.GAME.has_bot("random:1")
