"""What a batch shows of a match is what follows from the position that its decisions make.

What each part of an observation has to hold is tested game by game, in their `test_learning.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import agon
from agon.games.hive.learning import LONGEST
from agon.learn.policy import TurnByDecisions
from tests.learn.followed import Followed
from tests.learn.test_ends import short_games

if TYPE_CHECKING:
    from agon.games.game import Options
    from agon.kernel import IntArray
    from agon.learn import BatchEnv


def numbers_in(env: BatchEnv, row: IntArray) -> dict[str, int]:
    """The parts of an observation that are one number."""
    found, at = {}, 0
    for part in env.learning.observation:
        if part.size == 1:
            found[part.name] = int(row[at])
        at += part.size
    return found


@short_games
def test_a_batch_shows_what_follows_from_the_position(name: str, options: Options) -> None:
    followed = Followed(agon.game(name), options, 4, seed=8)
    env = followed.env
    compared = 0
    for _ in range(120):
        for match in followed.matches:
            position = match.position
            for seat, at in followed.seats_to_act(match.number):
                assert seat in position.to_act
                shown = numbers_in(env, env.observations[at])
                assert shown["seat"] == seat
                assert shown.get("to_move", 1) == 1
                assert shown.get("turn", position.turn) == min(position.turn, LONGEST)
                if not match.is_turn_begun:
                    draft = TurnByDecisions(env.learning, position, seat)
                    assert (env.observations[at] == draft.observe()).all()
                    assert (env.actions[at][: env.counts[at]] == draft.legal_actions()).all()
                    compared += 1
        followed.step()
    assert compared > 100
