"""From the layout of a field to the records that the rules work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.battlebots.board import BACK, NEUTRAL, THERE, setup_dtype
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.battlebots.layout import Layout


def build_setup(layout: Layout, turn_limit: int, soldiers_decide: bool) -> Any:
    """The setup of a match: an array of one record."""
    setups = new_records(setup_dtype(layout.tier))
    setup, field = setups[0], layout.field
    setup.seats, setup.forts = len(layout.players), len(field.forts)
    setup.roads = len(field.roads)
    setup.places = layout.places
    setup.turn_limit, setup.soldiers_decide = turn_limit, soldiers_decide
    for (origin, _), lane in layout.lanes.items():
        setup.origin[lane] = layout.fort_numbers[origin]
        setup.departure[lane] = layout.departures[lane]
    ends = np.zeros((2, layout.tier.places), np.uint8)
    for road, (first, last) in enumerate(
        zip(layout.departures[::2], layout.departures[1::2], strict=True)
    ):
        setup.road_at[first : last + 1] = road
        ends[THERE, last] = ends[BACK, first] = 1
    setup.ends = np.packbits(ends, axis=1, bitorder="little").view("<u4")
    filled = 0
    for number, fort in enumerate(field.forts):
        exits = [layout.lanes[fort.name, other] for other in field.neighbours[fort.name]]
        setup.exits[filled : filled + len(exits)] = exits
        filled += len(exits)
        setup.first_exit[number + 1] = filled
    setup.owner[:] = NEUTRAL
    layout.write_field(field, setup)
    return setups
