"""From a map to the records that the rules work on."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from agon.errors import SettingError
from agon.games.record_types import RecordTypes
from agon.games.skyport.board import (
    EDGE,
    FRAME,
    MAX_TURNS,
    OCCUPANT,
    SECOND_UNIT,
    STEPS,
    TIERS,
    WORK,
    setup_dtype,
    state_dtype,
)
from agon.games.skyport.mapfile import LETTERS, Map
from agon.kernel import new_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.move import Loadout


CHOSEN = -1  # a loadout that is not given


@functools.cache
def records_of_tier(tier: int) -> RecordTypes:
    return RecordTypes(setup_dtype(tier), state_dtype(tier), WORK)


def records_for(board: Map) -> RecordTypes:
    """The types for a map: those of the smallest tier that it fits in."""
    return records_of_tier(next(tier for tier in TIERS if board.side <= tier))


def cell_at(side: int, place: Place) -> int:
    return (place[0] + FRAME) * (side + FRAME) + place[1] + FRAME


def hex_at(side: int, cell: int) -> Place:
    """The hex of a cell that is on the map.

    >>> hex_at(3, cell_at(3, (0, 2)))
    (0, 2)
    """
    return cell // (side + FRAME) - FRAME, cell % (side + FRAME) - FRAME


@functools.cache
def hexes_near() -> tuple[Place, ...]:
    """The hexes that some mortar reaches from (0, 0), the nearest first."""
    span = range(-FRAME, FRAME + 1)
    far = {(j, k): max(abs(j), abs(k), abs(j - k)) for j in span for k in span}
    return tuple(sorted((p for p in far if far[p] <= FRAME), key=lambda p: (far[p], p)))


def build_setup(
    board: Map, turns: int, order: Sequence[int] = (), loadouts: Sequence[Loadout] = ()
) -> Any:
    """The setup of a match on this map with so many turns of each seat: an array of one record.

    The order of the seats and their weapons only matter for the start.
    """
    if not 1 <= turns <= MAX_TURNS:
        raise SettingError(f"turns {turns}: expected 1 to {MAX_TURNS}")
    setups = new_records(records_for(board).setup)
    setup = setups[0]
    side = board.side
    setup.stride, setup.seats, setup.turns = side + FRAME, board.seats, turns * board.seats
    setup.steps[:] = [j * (side + FRAME) + k for j, k in STEPS]
    setup.is_ordered = bool(order)
    setup.order[: len(order)] = order
    setup.loadouts[:] = CHOSEN
    setup.loadouts[: len(loadouts)] = [loadout.code for loadout in loadouts]
    setup.near[:] = hexes_near()
    setup.cells[:] = EDGE
    for j, row in enumerate(board.rows):
        for k, letter in enumerate(row):
            units = SECOND_UNIT if letter in "REC" else 0
            setup.cells[cell_at(side, (j, k))] = LETTERS.index(letter) | units
    for seat, spawn in enumerate(board.spawns):
        cell = cell_at(side, spawn)
        setup.spawn[seat] = cell
        setup.cells[cell] |= (seat + 1) << OCCUPANT
    return setups
