"""Battlebots for `simulate`: the compiled parts of `playout.py` with the records of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.battlebots import playout, rules
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.setup import build_setup
from agon.games.simulation import LaunchShape, Simulation

if TYPE_CHECKING:
    from agon.games.battlebots.layout import Layout


def make_simulation(options: BattlebotsOptions, layout: Layout | None = None) -> Simulation:
    """Random play on this map, or on the one of seed 0."""
    layout = layout or GAME.layout(options, 0)
    return Simulation(
        options=options,
        seats=len(layout.players),
        setup=build_setup(layout, options.turn_limit, options.at_limit == "most-soldiers"),
        state=layout.state_dtype,
        work=layout.work_dtype,
        start=rules.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        score=rules.score,
        on_gpu=LaunchShape(blocks=16),
    )
