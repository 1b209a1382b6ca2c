"""R13: what a player sees of the field."""

from __future__ import annotations

from agon.games.battlebots.field import Battlefield, Place


def see(field: Battlefield, player: str, own_roads: bool = False) -> Battlefield:
    """The forts, roads and marches that the player sees.

    With `own_roads` only roads that end at an own fort.
    """
    own = {fort.name for fort in field.forts if fort.owner == player}
    seen = own.union(*(field.neighbours[name] for name in own))
    ends = own if own_roads else seen
    roads = tuple(
        road for road in field.roads if seen.issuperset(road) and not ends.isdisjoint(road)
    )
    known = {way for one, other in roads for way in ((one, other), (other, one))}
    return Battlefield(
        tuple(fort for fort in field.forts if fort.name in seen),
        roads,
        tuple(march for march in field.marches if (march.origin, march.target) in known),
    )


def move_origin(field: Battlefield, origin: Place) -> Battlefield:
    """The field with coordinates that count from this place."""
    x, y = origin
    forts = (fort._replace(x=fort.x - x, y=fort.y - y) for fort in field.forts)
    return Battlefield(tuple(forts), field.roads, field.marches)
