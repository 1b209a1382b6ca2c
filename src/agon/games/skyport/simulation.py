"""Skyport for `simulate`: the compiled parts of `playout.py` with the records of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.simulation import Simulation
from agon.games.skyport import board, playout, rules
from agon.games.skyport.setup import records_for

if TYPE_CHECKING:
    from agon.games.skyport.game import SkyportOptions


def make_simulation(options: SkyportOptions) -> Simulation:
    """Random play with these options; a seat's points are how many others it has left behind."""
    found = options.find_map(None)
    records = records_for(found)
    return Simulation(
        options=options,
        seats=found.seats,
        setup=options.build_setup(found),
        state=records.state,
        work=records.work,
        start=rules.start,
        is_over=board.is_over,
        play_random_turn=playout.play_random_turn,
        score=rules.points,
    )
