"""Atlantis for `simulate`: the compiled parts of `playout.py` with the records of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.atlantis import playout, rules
from agon.games.atlantis.setup import build_setup, records_for
from agon.games.simulation import LaunchShape, Simulation

if TYPE_CHECKING:
    from agon.games.atlantis.game import AtlantisOptions
    from agon.games.atlantis.geometry import Board


def make_simulation(options: AtlantisOptions, board: Board | None = None) -> Simulation:
    """Random play on this board, or on that of the options; points: how many are left behind."""
    board = board or options.find_board(None)
    records = records_for(board)
    return Simulation(
        options=options,
        seats=len(board.stacks),
        setup=build_setup(board),
        state=records.state,
        work=records.work,
        start=rules.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        score=playout.score,
        on_gpu=LaunchShape(blocks=16),
    )
