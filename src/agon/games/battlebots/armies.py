"""Where armies stand, at rest and in the middle of a turn: what pictures and replays show.

gate        0  .  1  .  2  .  3  gate       Between turns an army stands at a whole step of its
at rest              A                      road. Within a turn it also stands at its own gate,
halfway           A                         halfway, and at the other gate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agon.games.battlebots.board import owner_of, soldiers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.battlebots.layout import Layout
    from agon.kernel import Record

AT_REST = -1
LEFT, HALFWAY, STEPPED = range(3)
"""The half steps that all armies have made within the turn."""


class Army(NamedTuple):
    """Soldiers on a road, or at one of its gates."""

    lane: int
    origin: str
    target: str
    seat: int
    soldiers: int
    half_steps: int
    """That it has come."""
    steps: int
    """Of its road."""
    left_at: int
    """The turn of its order; below 0 if the map began with it. With the lane it names the army."""

    @property
    def share(self) -> float:
        """How much of its road is behind it, from 0 to 1."""
        return self.half_steps / (2 * self.steps)

    @property
    def to_go(self) -> int:
        """The steps before it, rounded up."""
        return self.steps - self.half_steps // 2

    @property
    def arrives_at(self) -> int:
        """The turn at whose beginning it is at the end of its road."""
        return self.left_at + self.steps


def list_armies(layout: Layout, state: Record, moment: int = AT_REST) -> Iterator[Army]:
    """All armies of a state, lane by lane; `moment` says where in a turn it is."""
    there, back = layout.read_armies(state)
    turn = int(state["turn"])
    for (origin, target), lane in layout.lanes.items():
        start, steps = layout.departures[lane], layout.field.length[origin, target]
        for gone in range(steps + 1):
            army = back[start - gone] if lane & 1 else there[start + gone]
            if army:
                come = 2 * gone + (moment == HALFWAY)
                who, soldiers = owner_of(army), soldiers_of(army)
                yield Army(lane, origin, target, who, soldiers, come, steps, turn - gone)
