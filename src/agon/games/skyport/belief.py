"""What a seat knows of a position, as the records that kernels work on.

Players are not told how many units robots have and mines hold (R10). A player can count its own
units, so the bots use them. Of the rest they make the simplest guess: the others have none, and a
mine is full unless the bot itself has taken a unit from it. The generator of the match is not known
either; the bots bring their own.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.skyport.board import GRASS, LAST_ENTERED, SECOND_UNIT, TILE, WORK
from agon.games.skyport.move import Action
from agon.games.skyport.rules import play_turn
from agon.games.skyport.setup import build_setup, records_for
from agon.games.skyport.walk import scratch_dtype
from agon.kernel import copy_record, new_array, new_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agon.games.skyport.mapfile import Map
    from agon.games.skyport.move import Actions
    from agon.games.skyport.position import SkyportPosition
    from agon.kernel import IntArray


class Belief:
    """The records of a position as one seat knows it, as arrays of one."""

    def __init__(
        self, position: SkyportPosition, seat: int, opened: Iterable[int], random: int
    ) -> None:
        """`opened`: the cells of mines from which the seat took a unit; `random`: a generator."""
        self.seat = seat
        self.size = position.seats * position.map.side**2
        """Hexes times seats: how much work it is to play on from here."""
        self.setup = known_setup(position.map, position.options.turns)
        self.state = new_array(records_for(position.map).state)
        self.state[0] = position.copy_state()
        self.work = new_array(WORK)
        state = self.state[0]
        self.scratch = new_array(scratch_dtype(state["cells"].size))
        own_units = state["units"][seat].tolist()
        state["units"] = 0
        state["units"][seat] = own_units
        state["random"] = random
        state["cells"][find_mines(state)] |= SECOND_UNIT
        for cell in {*opened} & {*find_mines(state).tolist()}:
            state["cells"][cell] ^= SECOND_UNIT

    def opened_by(self, turn: Actions) -> frozenset[int]:
        """The mines that have one unit left after a turn of the seat, as far as it knows."""
        state, work = copy_record(self.state[0], self.state.dtype), new_record(WORK)
        for slot, action in enumerate(turn):
            work["actions"][slot] = action.code
        play_turn(self.setup[0], state, work, len(turn))
        mines = find_mines(state)
        return frozenset(mines[state["cells"][mines] & SECOND_UNIT == 0].tolist())


def find_mines(state: Any) -> IntArray:
    """The cells with something to mine."""
    tiles = state["cells"] & TILE
    return np.flatnonzero((tiles > GRASS) & (tiles <= LAST_ENTERED))


def read_actions(codes: IntArray) -> Actions:
    """Actions by their numbers, as the game takes them."""
    return tuple(map(Action, codes.tolist()))


@functools.lru_cache(64)
def known_setup(board: Map, turns: int) -> Any:
    """The setup of a match; it is never changed."""
    setup = new_array(records_for(board).setup)
    setup[0] = build_setup(board, turns)[0]
    return setup
