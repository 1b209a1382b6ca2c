"""What a player believes of the field: what it sees, and of the rest what it saw before.

Between two turns the belief is played on with the player's own orders and a guess at those of the
others; then what is seen takes the place of what was believed. Forts that were never seen are not
there. Nothing else of a position is looked at than `sight`, its turn, and how many play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.games.battlebots.field import NEUTRAL_NAME, Battlefield, Fort
from agon.games.battlebots.greedy import NO_LANE
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.move import Order
from agon.games.battlebots.setup import build_setup
from agon.kernel import new_array

if TYPE_CHECKING:
    import numpy as np

    from agon.games.battlebots.board import Tier
    from agon.games.battlebots.move import Turn
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.kernel import IntArray, Record

Planned: TypeAlias = "dict[str, tuple[int, str]]"
"""For forts that wait: how many turns, and the target of their soldiers then, or ''."""


@dataclass(frozen=True)
class KnownLayout(Layout):
    """The layout of a part of the map, with the seats of the whole match."""

    seats: tuple[str, ...]
    records: Tier

    def __post_init__(self) -> None:
        """A part may have any number of players."""

    @property
    def players(self) -> tuple[str, ...]:
        return self.seats

    @property
    def tier(self) -> Tier:
        """That of the match: the known part may grow, and must need no other kernels."""
        return self.records


class Belief:
    """The field as one seat knows it, in records for kernels."""

    def __init__(
        self, position: BattlebotsPosition, seat: int, before: Battlefield | None = None
    ) -> None:
        """What is seen, over what was believed of this moment."""
        self.seat = seat
        self.turn = position.turn
        self.tier = position.layout.tier
        seen = position.sight(seat)
        player = position.players[seat]
        field = seen if before is None else merge(before, seen, player)
        self._layout = KnownLayout(in_order(field), position.players, self.tier)
        self.setup = build_setup(self._layout, position.options.turn_limit, False)
        self.state = new_array(self._layout.state_dtype)
        self._layout.write_field(self._layout.field, self.state[0], position.turn)
        self.state[0]["still_in"] = (1 << position.seats) - 1
        self.state[0]["turn"] = position.turn

    @property
    def work_dtype(self) -> np.dtype[Any]:
        return self._layout.work_dtype

    @property
    def field(self) -> Battlefield:
        """The field as it is believed to be."""
        return self._layout.read_field(self.state[0])

    def read_turn(self, orders: IntArray) -> Turn:
        """The orders by lane, as the game takes them."""
        sizes = orders.tolist()
        return tuple(
            Order(origin, target, sizes[lane])
            for (origin, target), lane in self._layout.lanes.items()
            if sizes[lane] > 0
        )

    def read_planned(self, campaign: Record) -> Planned:
        """What a campaign plans for the next turns, by names."""
        targets = {lane: target for (_, target), lane in self._layout.lanes.items()}
        waits, lanes = campaign["wait"].tolist(), campaign["lane"].tolist()
        return {
            name: (waits[fort], targets.get(lanes[fort], ""))
            for name, fort in self._layout.fort_numbers.items()
            if waits[fort] > 0
        }

    def write_planned(self, planned: Planned, campaign: Record) -> None:
        """Put what was planned into an empty campaign."""
        for name, (wait, target) in planned.items():
            fort = self._layout.fort_numbers[name]
            campaign["wait"][fort] = wait
            campaign["lane"][fort] = self._layout.lanes.get((name, target), NO_LANE)


def in_order(field: Battlefield) -> Battlefield:
    """Forts and roads by name, so that nothing tells how they were found."""
    return Battlefield(tuple(sorted(field.forts)), tuple(sorted(field.roads)), field.marches)


def merge(believed: Battlefield, seen: Battlefield, player: str) -> Battlefield:
    """What is seen in place of what was believed."""
    roads = {tuple(sorted(road)): road for road in (*believed.roads, *seen.roads)}
    visible = {frozenset(road) for road in seen.roads}
    forts = {fort.name: correct(fort, player) for fort in believed.forts} | dict(seen.fort)
    marches = (m for m in believed.marches if frozenset((m.origin, m.target)) not in visible)
    return Battlefield(tuple(forts.values()), tuple(roads.values()), (*marches, *seen.marches))


def correct(fort: Fort, player: str) -> Fort:
    """A fort out of sight is not the player's own, whatever it believed."""
    return fort._replace(owner=NEUTRAL_NAME, soldiers=0) if fort.owner == player else fort
