"""A turn of Battlebots by clicks: a fort, the fort that its soldiers march to, and again.

An order sends all soldiers at first; buttons make them fewer, and who stays behind can be sent
elsewhere. The turn can be sent after any whole order, and at once as a pass. Armies are shown at
the gates, as if no other seat gave orders: their orders are not known yet. Picks are `from-3`
and `to-5`, by the forts' numbers on the map, and `send-20`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agon.games.battlebots.move import Order, Turn
from agon.games.battlebots.panel import call_players
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.battlebots.scene import battlebots_scene, find_way, fit_map
from agon.games.clicks import Choice, Draft, Step, check_seat, overlay, take_step
from agon.games.players import isolate
from agon.games.shapes import Disc, Line, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.battlebots.field import Fort
    from agon.games.game import Position
    from agon.games.scene import Scene

SMALLEST = 11.0  # of what is clicked, on maps with many forts
RING = 1.25  # the size of what is clicked, against that of forts
FEWER = (100, 10, 5, 1)


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(BattlebotsDraft(BattlebotsPosition.of(position), seat, names), picks)


@dataclass(frozen=True)
class BattlebotsDraft(Draft):
    """Whole orders, of which the last can still get smaller, and perhaps where one starts."""

    position: BattlebotsPosition
    seat: int
    names: Sequence[str] = ()
    orders: Turn = ()
    origin: Fort | None = None

    @property
    def prompt(self) -> str:
        if self.origin is not None:
            return f"Choose where soldiers of {self.origin.name} march to"
        if not self.orders:
            return "Choose a fort to send soldiers from, or send the turn as it is: a pass"
        last = self.orders[-1]
        more = "give another order, " if self.choices() else ""
        fewer = "make them fewer, " if last.soldiers > 1 else ""
        count = f"{last.soldiers} soldier{'' if last.soldiers == 1 else 's'}"
        return f"{count} to {last.target}: {fewer}{more}or send the turn"

    def choices(self) -> Sequence[Choice]:
        """Forts that have soldiers left, or those at the ends of the picked one's roads."""
        words = self._origin_words if self.origin is None else self._target_words
        return [Choice(name, words(fort)) for name, fort in self._lit.items()]

    def buttons(self) -> Sequence[Choice]:
        """Smaller sizes for the last order."""
        return [Choice(f"send-{size}", words) for size, words in self._sizes.items()]

    def pick(self, choice: str) -> tuple[Draft, str]:
        """The start of an order, its target, or its size."""
        if choice in self._lit:
            return self._pick_fort(self._lit[choice])
        size = int(choice.removeprefix("send-"))
        last = self.orders[-1]._replace(soldiers=size)
        return replace(self, orders=(*self.orders[:-1], last)), self._sizes[size]

    def turn(self) -> str | None:
        """The whole orders, if none is half given."""
        if self.origin is not None:
            return None
        return self.position.format_turn(self.seat, self.orders)

    def scene(self) -> Scene:
        """The map with the armies at the gates, and with what can be clicked on top."""
        marks: list[Shape] = [self._way(order) for order in self.orders]
        if self.origin is not None:
            marks.append(self._ring(f"from-{self._number(self.origin)}", "picked", self.origin))
        marks += [self._ring(name, "choice piece", fort) for name, fort in self._lit.items()]
        return overlay(battlebots_scene(self._ordered, self.seat, self.names), marks)

    def _pick_fort(self, fort: Fort) -> tuple[Draft, str]:
        if self.origin is None:
            return replace(self, origin=fort), self._origin_words(fort)
        order = Order(self.origin.name, fort.name, self._left(self.origin))
        orders = (*self.orders, order)
        words = f"{order.soldiers} {self._target_words(fort)}"
        return replace(self, orders=orders, origin=None), words

    @property
    def _ordered(self) -> BattlebotsPosition:
        """The moment when the armies leave, the others' being none."""
        if not self.orders:
            return self.position
        passes: dict[int, Turn] = dict.fromkeys(self.position.to_act, ())
        return self.position.stages({**passes, self.seat: self.orders})[0][1]

    @cached_property
    def _lit(self) -> Mapping[str, Fort]:
        """The forts that may be clicked, by the ids of their shapes."""
        field, player = self.position.field, self.position.players[self.seat]
        if self.origin is None:
            own = [fort for fort in field.forts if fort.owner == player and self._targets(fort)]
            return {f"from-{self._number(fort)}": fort for fort in own if self._left(fort)}
        return {f"to-{self._number(fort)}": fort for fort in self._targets(self.origin)}

    def _targets(self, fort: Fort) -> list[Fort]:
        """The forts that no order of this turn leads to from there."""
        field = self.position.field
        taken = {order.target for order in self.orders if order.origin == fort.name}
        return [field.fort[name] for name in field.neighbours[fort.name] if name not in taken]

    def _left(self, fort: Fort) -> int:
        """The soldiers that have no orders."""
        return fort.soldiers - sum(o.soldiers for o in self.orders if o.origin == fort.name)

    @cached_property
    def _sizes(self) -> Mapping[int, str]:
        """What the last order can be changed to, in words: every size is some clicks away."""
        if self.origin is not None or not self.orders:
            return {}
        size = self.orders[-1].soldiers
        offers = [(size // 2, "half"), (size * 3 // 4, "three quarters"), (size // 4, "a quarter")]
        offers += [(1, "just one")]
        offers += [(size - fewer, f"{fewer} fewer") for fewer in FEWER]
        found: dict[int, str] = {}
        for smaller, words in offers:
            if 1 <= smaller < size:
                found.setdefault(smaller, f"{words}: {smaller}")
        return found

    def _number(self, fort: Fort) -> int:
        return self.position.layout.fort_numbers[fort.name]

    def _origin_words(self, fort: Fort) -> str:
        return f"soldiers of {fort.name}, {self._left(fort)} without orders"

    def _target_words(self, fort: Fort) -> str:
        if self.origin is None:
            return fort.name
        steps = self.position.field.length[self.origin.name, fort.name]
        owner = self._call_owner(fort)
        far = f"{steps} step{'' if steps == 1 else 's'}"
        return f"to {fort.name} ({owner}, {fort.soldiers}), {far} away"

    def _call_owner(self, fort: Fort) -> str:
        players = self.position.players
        if fort.owner not in players:
            return "neutral"
        return isolate(call_players(self.position, self.names).name(players.index(fort.owner)))

    def _ring(self, name: str, role: str, fort: Fort) -> Shape:
        fit = fit_map(self.position.layout.field)
        radius = max(SMALLEST, RING * fit.fort)
        return Disc(name, role, *fit.spot(fort.place), radius=radius, tip=fort.name)

    def _way(self, order: Order) -> Shape:
        """A line along the road of an order."""
        forts, fit = self.position.field.fort, fit_map(self.position.layout.field)
        way = find_way(fit, forts[order.origin].place, forts[order.target].place)
        lane = self.position.layout.lanes[order.origin, order.target]
        tip = f"{order.soldiers} from {order.origin} to {order.target}"
        return Line(f"order-{lane}", "picked", way.x, way.y, dx=way.dx, dy=way.dy, tip=tip)
