"""MebiPenny for `simulate`: the compiled parts of `playout.py` with the records of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.mebipenny import playout
from agon.games.mebipenny.board import WORK
from agon.games.simulation import Simulation

if TYPE_CHECKING:
    from agon.games.mebipenny.game import MebiPennyOptions


def make_simulation(options: MebiPennyOptions) -> Simulation:
    """Random play with these options; a seat's points are its claims (R12)."""
    setup = options.setup()
    return Simulation(
        options=options,
        seats=int(setup.record["seats"]),
        setup=setup.records,
        state=setup.state,
        work=WORK,
        start=playout.start,
        is_over=playout.is_over,
        play_random_turn=playout.play_random_turn,
        score=playout.score,
    )
