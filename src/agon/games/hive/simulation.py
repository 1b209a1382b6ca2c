"""Hive for `simulate`: the compiled parts of `playout.py` with their records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agon.games.hive import playout
from agon.games.hive.board import STATE, WORK
from agon.games.simulation import Simulation
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.hive.game import HiveOptions


def make_simulation(options: HiveOptions) -> Simulation:
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
        score=playout.score,
    )
