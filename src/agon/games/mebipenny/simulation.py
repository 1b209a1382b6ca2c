"""MebiPenny for `simulate`: the compiled parts of `playout.py` with the records of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.mebipenny import playout
from agon.games.mebipenny.board import WORK
from agon.games.simulation import Simulation

if TYPE_CHECKING:
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.kernel import IntArray


def mebipenny_simulation(options: MebiPennyOptions) -> Simulation:
    """Random play with these options; a seat's points are its claims (R12)."""
    setup = options.setup()
    seats = int(setup.record.seats)

    def score_games(states: IntArray) -> IntArray:
        over = states["over"] == 1
        points: IntArray = np.where(over[:, None], states["score"][:, :seats], -1)
        return points

    return Simulation(
        options=options,
        seats=seats,
        setup=setup.records,
        state=setup.state,
        work=WORK,
        start=playout.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        play_games=playout.play_games,
        score_games=score_games,
    )
