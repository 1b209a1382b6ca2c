"""Matches of a batch end where the rules end them, and what seats get follows from the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import agon
from agon.games.atlantis.boards import standard_board
from agon.learn import BatchEnv
from agon.learn.stepping import CUT_OFF, GOES_ON
from tests.games.atlantis.test_learning import custom
from tests.games.battlebots.situation import map_text
from tests.learn.followed import Followed
from tests.learn.test_batch import GAMES, choose

if TYPE_CHECKING:
    from agon.games.game import Options

HIVE, ATLANTIS, BATTLEBOTS, SKYPORT, MEBIPENNY = map(
    agon.game, ("hive", "atlantis", "battlebots", "skyport", "mebipenny")
)
FOR_TWO = map_text("a 0 0 ann 9, b 4 0 bob 9, c 0 2 neutral 0, d 4 2 neutral 0", "a b, a c, b d")
FOR_THREE = map_text("a 0 0 ann 9, b 1 0 bob 2, c 0 1 cid 2", "a b, c a")
SHORT = {
    "hive": HIVE.options(variant="Base+MLP"),
    "atlantis": ATLANTIS.options(board="triangle", size=2),
    "atlantis, three": custom(standard_board("triangle", 2, 3)),
    "battlebots": BATTLEBOTS.options(field=FOR_TWO, turn_limit=12, at_limit="most-soldiers"),
    "battlebots, three": BATTLEBOTS.options(field=FOR_THREE, turn_limit=30),
    "skyport": SKYPORT.options(turns=6),
    "skyport, four": SKYPORT.options(map="four", turns=2),
    "mebipenny": MEBIPENNY.options(rows=3, cols=4),
    "mebipenny, four": MEBIPENNY.options(rows=4, cols=4, seats=4),
}
"""Games with options by which matches by chance end soon."""
MATCHES, ENDS = 6, 12  # so that some of those that follow end, too

short_games = pytest.mark.parametrize(
    ("name", "options"), [(name.split(",")[0], SHORT[name]) for name in SHORT], ids=SHORT
)


def test_every_game_is_here() -> None:
    assert {name.split(",")[0] for name in SHORT} == {game.name for game in GAMES}


@short_games
def test_ends_and_rewards_are_those_of_the_rules(name: str, options: Options) -> None:
    followed = Followed(agon.game(name), options, MATCHES, seed=5)
    ended: list[list[float]] = []
    for _ in range(8000):
        ended += followed.step()
        if len(ended) >= ENDS:
            break
    assert len(ended) >= ENDS
    assert all(sum(rewards) == pytest.approx(0) for rewards in ended)
    assert any(max(rewards) == 1 for rewards in ended)
    assert len({tuple(rewards) for rewards in ended}) > 1


@pytest.mark.parametrize("name", ["hive", "skyport"])
def test_a_match_is_cut_off_at_the_limit_and_not_before(name: str) -> None:
    env = BatchEnv(name, 5, seed=3, limit=7)
    rng = np.random.default_rng(1)
    for step in range(1, 22):
        env.step_nth(choose(env, rng))
        assert env.ends.tolist() == [GOES_ON if step % 7 else CUT_OFF] * 5
        assert not env.rewards.any()
