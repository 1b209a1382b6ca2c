"""Hive for `simulate`: the compiled parts of `playout.py` with their records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from agon.games.hive import playout, rules
from agon.games.hive.board import STATE, WORK
from agon.games.simulation import Simulation
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.hive.game import HiveOptions
    from agon.kernel import IntArray


def score_games(states: IntArray) -> IntArray:
    """Points per match and seat: 2 for a win, 1 for a draw, -1 while the match is not over."""
    results = np.zeros(len(states), np.int64)
    playout.list_results(states, results)
    points = np.zeros((4, 2), np.int64)
    points[rules.WHITE_WINS] = 2, 0
    points[rules.BLACK_WINS] = 0, 2
    points[rules.DRAW] = 1, 1
    points[rules.PLAYING] = -1, -1
    return points[results]


def hive_simulation(options: HiveOptions) -> Simulation:
    """Random play with these options, but without R14, which belongs to matches."""
    setup = new_records(playout.SETUP)
    setup[0].expansions = options.expansion_bits
    setup[0].queen_first = options.queen_first
    return Simulation(
        options=replace(options, repetition=False),
        seats=2,
        setup=setup,
        state=STATE,
        work=WORK,
        start=playout.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        play_games=playout.play_games,
        score_games=score_games,
    )
