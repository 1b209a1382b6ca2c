"""Battlebots for `simulate`: the compiled parts of `playout.py` with the records of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.battlebots import playout, rules
from agon.games.simulation import Simulation

if TYPE_CHECKING:
    from agon.games.battlebots.game import BattlebotsOptions
    from agon.games.battlebots.layout import Layout
    from agon.kernel import IntArray


def battlebots_simulation(options: BattlebotsOptions, layout: Layout) -> Simulation:
    """Random play on this map."""
    setup = layout.build_setup(options.turn_limit, options.at_limit == "most-soldiers")
    seats = len(layout.players)

    def score_games(states: IntArray) -> IntArray:
        scores = np.zeros((len(states), seats), np.int64)
        playout.list_scores(setup[0], states, scores)
        return scores

    return Simulation(
        options=options,
        seats=seats,
        setup=setup,
        state=layout.state_dtype,
        work=layout.work_dtype,
        start=rules.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        play_games=playout.play_games,
        score_games=score_games,
    )
