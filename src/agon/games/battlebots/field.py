"""The field as people name it: forts, roads and marches, and what they must hold to (R1 to R3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from agon.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

NEUTRAL_NAME = "neutral"

Place: TypeAlias = tuple[int, int]
Road: TypeAlias = tuple[str, str]


class Fort(NamedTuple):
    """A fort, whose it is, and how many soldiers are in it."""

    name: str
    x: int
    y: int
    owner: str
    soldiers: int

    @property
    def place(self) -> Place:
        return self.x, self.y


class March(NamedTuple):
    """An army on its way."""

    origin: str
    target: str
    owner: str
    soldiers: int
    steps: int
    """How many it has to go."""


@dataclass(frozen=True)
class Battlefield:
    """All forts, roads and marches of a moment, or those that a seat sees."""

    forts: tuple[Fort, ...] = ()
    roads: tuple[Road, ...] = ()
    marches: tuple[March, ...] = ()

    @cached_property
    def fort(self) -> Mapping[str, Fort]:
        """The forts by name."""
        return {fort.name: fort for fort in self.forts}

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The owners of forts and marches, sorted by name: the order of their seats."""
        owners = {fort.owner for fort in self.forts} | {march.owner for march in self.marches}
        return tuple(sorted(owners - {NEUTRAL_NAME}))

    @cached_property
    def soldiers(self) -> int:
        garrisons = sum(fort.soldiers for fort in self.forts)
        return garrisons + sum(march.soldiers for march in self.marches)

    @cached_property
    def length(self) -> Mapping[Road, int]:
        """R2: the steps of each road, by its forts in either order."""
        lengths = {}
        for one, other in self.roads:
            steps = count_steps(self.fort[one].place, self.fort[other].place)
            lengths[one, other] = lengths[other, one] = steps
        return lengths

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The forts at the other ends of each fort's roads, in the order of the roads."""
        found: dict[str, list[str]] = {fort.name: [] for fort in self.forts}
        for one, other in self.roads:
            found[one].append(other)
            found[other].append(one)
        return {name: tuple(names) for name, names in found.items()}


def square_of_distance(one: Place, other: Place) -> int:
    """The square of how far two places are apart."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def count_steps(one: Place, other: Place) -> int:
    """R2: the steps of a road between two different places.

    >>> count_steps((0, 0), (3, -4)), count_steps((0, 0), (1, 1)), count_steps((0, 0), (0, 1))
    (5, 2, 1)
    """
    return isqrt(square_of_distance(one, other) - 1) + 1


# --- roads that meet ------------------------------------------------------------------------------


def _side(a: Place, b: Place, c: Place) -> int:
    """Whether c lies left (1) or right (-1) of the way from a to b, or in line with it (0)."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def _is_on(a: Place, b: Place, c: Place) -> bool:
    """Whether c lies on the straight line from a to b, its ends included."""
    return (
        _side(a, b, c) == 0
        and min(a[0], b[0]) <= c[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])
    )


def lines_touch(a: Place, b: Place, c: Place, d: Place) -> bool:
    """R1: whether the line from a to b and that from c to d have a point in common.

    An end that they share does not count, but more than that does. A line may be a point.

    >>> lines_touch((0, 0), (2, 2), (0, 2), (2, 0)), lines_touch((0, 0), (2, 0), (2, 0), (3, 0))
    (True, False)
    """
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    if a in (c, d) or b in (c, d):
        if a in (c, d) and b in (c, d):
            return a != b
        shared, end = (a, b) if a in (c, d) else (b, a)
        other = d if shared == c else c
        return other != shared and (_is_on(a, b, other) or _is_on(c, d, end))
    if _side(a, b, c) != _side(a, b, d) and _side(c, d, a) != _side(c, d, b):
        return True
    return _is_on(a, b, c) or _is_on(a, b, d) or _is_on(c, d, a) or _is_on(c, d, b)


def find_touching(lines: Sequence[tuple[Place, Place]]) -> Iterator[tuple[int, int]]:
    """The pairs of lines that touch, by their numbers; lines far apart are not compared."""
    order = sorted(range(len(lines)), key=lambda i: min(lines[i])[0])
    near: list[int] = []
    for i in order:
        left = min(lines[i])[0]
        near = [j for j in near if max(lines[j])[0] >= left]
        for j in near:
            if lines_touch(*lines[i], *lines[j]):
                yield min(i, j), max(i, j)
        near.append(i)


# --- what a field must hold to --------------------------------------------------------------------


def is_name(text: str) -> bool:
    """Whether forts and players may be called so."""
    blank = any(sign.isspace() for sign in text)
    return (
        text.isprintable()
        and not blank
        and not text.startswith("#")
        and text not in ("", NEUTRAL_NAME)
    )


Where: TypeAlias = "Callable[[str, int], str]"
"""For messages: where `("roads", 2)` stands in a text, such as `line 7: `."""


def nowhere(_word: str, _number: int) -> str:
    """For fields that stand in no text."""
    return ""


def check_field(field: Battlefield, where: Where = nowhere, may_cross: bool = False) -> None:
    """Raise NotationError unless R1 and R3 hold, but for roads that cross where they may."""
    check_forts(field, where)
    check_roads(field, where)
    crossing = None if may_cross else min(find_crossings(field), default=None)
    if crossing is not None:
        raise NotationError(tell_crossing(field, crossing, where))
    check_marches(field, where)


def check_forts(field: Battlefield, where: Where) -> None:
    """R1: every fort has a name and a place of its own."""
    names: set[str] = set()
    places: dict[Place, str] = {}
    for number, fort in enumerate(field.forts):
        begin = where("forts", number)
        for name in (fort.name,) if fort.owner == NEUTRAL_NAME else (fort.name, fort.owner):
            if not is_name(name):
                raise NotationError(
                    f"{begin}name {name[:40]!r}: expected no blanks, no # at the beginning, and"
                    f" not the word {NEUTRAL_NAME}"
                )
        if fort.name in names:
            raise NotationError(f"{begin}fort {fort.name}: there is another one of this name")
        if fort.place in places:
            raise NotationError(
                f"{begin}fort {fort.name} at {fort.x} {fort.y}: {places[fort.place]} is there"
            )
        names.add(fort.name)
        places[fort.place] = fort.name


def check_roads(field: Battlefield, where: Where) -> None:
    """R1: no roads to nowhere, to where they come from, or twice."""
    known: set[frozenset[str]] = set()
    for number, road in enumerate(field.roads):
        for name in road:
            if name not in field.fort:
                raise NotationError(f"{where('roads', number)}there is no fort {name[:40]!r}")
        begin = f"{where('roads', number)}road {road[0]} {road[1]}: "
        if road[0] == road[1]:
            raise NotationError(f"{begin}expected two different forts")
        if frozenset(road) in known:
            raise NotationError(f"{begin}there is another road between them")
        known.add(frozenset(road))


def find_crossings(field: Battlefield) -> Iterator[tuple[int, int]]:
    """R1: roads meet at their ends only, and no fort lies on a road. Those that do not, in pairs.

    A road is its number, a fort its number behind all roads.
    """
    lines = [(field.fort[one].place, field.fort[other].place) for one, other in field.roads]
    return find_touching([*lines, *((fort.place, fort.place) for fort in field.forts)])


def tell_crossing(field: Battlefield, pair: tuple[int, int], where: Where = nowhere) -> str:
    """What is wrong with a pair of `find_crossings`."""
    first, second = pair
    one, behind = " ".join(field.roads[first]), second - len(field.roads)
    if behind >= 0:
        return f"{where('roads', first)}road {one}: it runs through {field.forts[behind].name}"
    other = " ".join(field.roads[second])
    return f"{where('roads', second)}road {other}: it crosses the road {one}"


def check_marches(field: Battlefield, where: Where) -> None:
    """R3, R6, R7: marches are on roads, and none is where another has to be."""
    at: dict[tuple[str, str, int], str] = {}
    for number, march in enumerate(field.marches):
        begin = where("marches", number)
        length = field.length.get((march.origin, march.target))
        if length is None:
            ends = f"from {march.origin[:40]!r} to {march.target[:40]!r}"
            raise NotationError(f"{begin}there is no road {ends}")
        begin += f"march {march.origin} {march.target}: "
        if not is_name(march.owner):
            raise NotationError(f"{begin}owner {march.owner[:40]!r}: expected a player")
        if march.soldiers < 1:
            raise NotationError(f"{begin}{march.soldiers} soldiers: expected at least 1")
        if not 1 <= march.steps < length:
            raise NotationError(
                f"{begin}{march.steps} steps to go: expected 1 to {length - 1} on {length} steps"
            )
        spots = (
            (march.origin, march.target, march.steps),
            (march.target, march.origin, length - march.steps),
        )
        for spot in spots:
            if at.get(spot, march.owner) != march.owner:
                raise NotationError(f"{begin}{at[spot]} has an army at the same point")
        at[spots[0]] = march.owner


def merge_marches(marches: Sequence[March]) -> tuple[March, ...]:
    """One march for all of one player that are at the same point in the same direction."""
    sizes: Counter[tuple[str, str, str, int]] = Counter()
    for march in marches:
        sizes[march.origin, march.target, march.owner, march.steps] += march.soldiers
    return tuple(March(o, t, who, n, steps) for (o, t, who, steps), n in sizes.items())
