"""Atlantis for `simulate`: the compiled parts of `playout.py` with the records of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.atlantis import playout, rules
from agon.games.atlantis.geometry import build_setup, records_for
from agon.games.simulation import Simulation

if TYPE_CHECKING:
    from agon.games.atlantis.geometry import Board
    from agon.games.game import Options
    from agon.kernel import IntArray


def atlantis_simulation(options: Options, board: Board) -> Simulation:
    """Random play on this board; a seat's points are how many others it has left behind (R15)."""
    records = records_for(board)
    setup = build_setup(board)

    def score_games(states: IntArray) -> IntArray:
        beaten = np.zeros((len(states), len(board.stacks)), np.int64)
        playout.list_beaten(setup[0], states, beaten)
        return beaten

    return Simulation(
        options=options,
        seats=len(board.stacks),
        setup=setup,
        state=records.state,
        work=records.work,
        start=rules.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        play_games=playout.play_games,
        score_games=score_games,
    )
