"""Skyport for `simulate`: the compiled parts of `playout.py` with the records of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.simulation import Simulation
from agon.games.skyport import board as records
from agon.games.skyport import playout, rules
from agon.games.skyport.setup import build_setup, records_for

if TYPE_CHECKING:
    from agon.games.game import Options
    from agon.games.skyport.mapfile import Map
    from agon.kernel import IntArray


def skyport_simulation(options: Options, board: Map, turns: int) -> Simulation:
    """Random play on this map; a seat's points are how many others it has left behind."""
    types = records_for(board)
    setup = build_setup(board, turns)

    def score_games(states: IntArray) -> IntArray:
        points = np.zeros((len(states), board.seats), np.int64)
        playout.list_points(setup[0], states, points)
        return points

    return Simulation(
        options=options,
        seats=board.seats,
        setup=setup,
        state=types.state,
        work=types.work,
        start=rules.start,
        is_over=records.is_over,
        play_random_turn=playout.play_random_turn,
        play_games=playout.play_games,
        score_games=score_games,
    )
