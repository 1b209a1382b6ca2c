"""A position of Battlebots as a picture: the map on the left, the players on the right.

Every fort is in every scene, under the id `fort-3` by its number on the map; roads are `road-3`,
and an army is `army-6-12-0` from its first step to its last: by its lane, the turn of its order and
its seat. So a replay can let armies march. All pictures have one size; the map is made to fit, y
upwards. Where the marks of a player's armies would hide each other, one mark stands for several.

    +-----------------+--------+    For a seat, roads and forts that it does not see are grey and
    | headline        | ann    |    say nothing, and armies there are left out (R13). Where they lie
    |       map       | bob    |    the picture tells all the same: bots are told less.
    |                 | key    |
    +-----------------+--------+
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import groupby
from math import atan2, ceil, cos, hypot, sin, tau
from operator import attrgetter
from typing import TYPE_CHECKING

from agon.games.battlebots.field import NEUTRAL_NAME
from agon.games.battlebots.look import LOOK, PLAYER_THEMES, format_count
from agon.games.battlebots.panel import ROWS, call_players, draw_panel, headline
from agon.games.player_theme import polygon, scaled
from agon.games.scene import Scene
from agon.games.shapes import READABLE, Box, Fit, Group, Label, Line, Path, Shape, Stamp
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agon.games.battlebots.armies import Army
    from agon.games.battlebots.field import Battlefield, Fort, Place
    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.players import Players

WIDTH, HEIGHT = 1000, 780
MAP = (22, 64, 722, 762)  # left, top, right, bottom
LARGEST, SMALLEST = 21.0, 4.0  # of forts, from middle to edge
ROOMY = 17.0  # forts so large leave room for wide roads
NAME, LARGEST_SIZE = 10.5, 12.5  # sizes of text
LONGEST_NAME = 10
CLOSE, CLOSE_IN_CROWDS = 1.5, 14.0  # in sizes of armies: those so close together are one column
HEADINGS = 48
COUNT_SIZES = (0.9, 0.85, 0.8, 0.66, 0.52)  # of a fort's size, by the digits of its number


@dataclass(frozen=True, slots=True)
class MapFit(Fit):
    """Where the map lies in the picture, whose y grows downwards, and how large its parts are."""

    fort: float
    """The size of forts."""
    army: float
    """The size of armies."""

    def spot(self, place: Place) -> tuple[float, float]:
        """Where a place of the map is in the picture."""
        return self.place(place[0], -place[1])


@dataclass(frozen=True, slots=True)
class Way:
    """The part of a road that armies are seen on, between the forts at its ends."""

    x: float
    y: float
    dx: float
    dy: float

    @property
    def length(self) -> float:
        return hypot(self.dx, self.dy)

    @property
    def ahead(self) -> tuple[float, float]:
        """One point further on."""
        return self.dx / self.length, self.dy / self.length

    @property
    def heading(self) -> int:
        """The nearest of the directions in which armies are drawn."""
        return round(atan2(self.dy, self.dx) / tau * HEADINGS) % HEADINGS

    def at(self, share: float) -> tuple[float, float]:
        """Where so much of it is behind one."""
        return self.x + share * self.dx, self.y + share * self.dy


def battlebots_scene(
    position: BattlebotsPosition, seat: int | None = None, names: Sequence[str] = ()
) -> Scene:
    """The position as spectators see it, or as a seat does."""
    players = call_players(position, names)
    told = headline(position, players, seat)
    seen = position.shown_to(seat)
    fit = fit_map(position.layout.field)
    shapes = (
        Box("paper", "paper", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", 28, 34, text=told, size=24, room=ROWS.left - 40),
        *_roads(position, seen, fit),
        *_armies(position, seen, fit, players),
        *_forts(position, seen, fit, players),
        *draw_panel(position, players, seat),
    )
    return Scene(f"Battlebots: {told}", WIDTH, HEIGHT, LOOK, shapes)


@functools.lru_cache(maxsize=64)
def fit_map(field: Battlefield) -> MapFit:
    """The largest scale at which all forts fit, and sizes with which they do not overlap."""
    xs, ys = [fort.x for fort in field.forts], [fort.y for fort in field.forts]
    left, top, right, bottom = MAP
    margin = LARGEST + NAME
    across, down = max(1, max(xs) - min(xs)), max(1, max(ys) - min(ys))
    scale = min((right - left - 2 * margin) / across, (bottom - top - 2 * margin) / down)
    gap = scale * find_gap(sorted(fort.place for fort in field.forts))
    fort = min(LARGEST, max(SMALLEST, 0.36 * gap))
    return MapFit(
        x=(left + right - scale * (min(xs) + max(xs))) / 2,
        y=(top + bottom - NAME + scale * (min(ys) + max(ys))) / 2,
        scale=scale,
        fort=fort,
        army=min(10.0, max(SMALLEST, 0.55 * fort)),
    )


def find_gap(places: Sequence[Place]) -> float:
    """How far the closest two of these sorted places are apart."""
    gap = float(hypot(*places[0])) + 10**9
    for number, (x, y) in enumerate(places):
        for other_x, other_y in places[number + 1 :]:
            if other_x - x >= gap:
                break
            gap = min(gap, hypot(other_x - x, other_y - y))
    return gap


@functools.lru_cache(maxsize=8192)
def find_way(fit: MapFit, origin: Place, target: Place) -> Way:
    """The way of armies from one fort to another; all of the road if the forts fill it."""
    (x, y), (to_x, to_y) = fit.spot(origin), fit.spot(target)
    length = hypot(to_x - x, to_y - y)
    hidden = min(fit.fort + 1.8 * fit.army, 0.4 * length) / length
    dx, dy = to_x - x, to_y - y
    return Way(x + hidden * dx, y + hidden * dy, (1 - 2 * hidden) * dx, (1 - 2 * hidden) * dy)


def _roads(position: BattlebotsPosition, seen: Battlefield, fit: MapFit) -> Iterator[Shape]:
    """The roads, with a dot for each place where armies stand between turns."""
    known = {frozenset(road) for road in seen.roads}
    field = position.layout.field
    visible = [frozenset(road) in known for road in field.roads]
    for number, (one, other) in sorted(enumerate(field.roads), key=lambda r: visible[r[0]]):
        ends = field.fort[one].place, field.fort[other].place
        if visible[number]:
            steps = field.length[one, other]
            tip = f"{one} - {other}: {steps} step{'' if steps == 1 else 's'}"
            yield _road(fit, f"road-{number}", *ends, steps, tip)
        else:
            (x, y), (to_x, to_y) = map(fit.spot, ends)
            yield Line(f"road-{number}", "unseen", x, y, dx=to_x - x, dy=to_y - y)


@functools.lru_cache(maxsize=8192)  # roads stay what they are
def _road(fit: MapFit, id_: str, origin: Place, target: Place, steps: int, tip: str) -> Group:
    (x, y), (to_x, to_y) = fit.spot(origin), fit.spot(target)
    way = find_way(fit, origin, target)
    px, py = way.at(1 / steps)
    path = f"M{px - x:.2f} {py - y:.2f}h0" if steps > 1 else ""
    path += (steps - 2) * f"m{way.dx / steps:.2f} {way.dy / steps:.2f}h0"
    role = "road" if fit.fort > ROOMY else "road narrow"
    parts: tuple[Shape, ...] = (Line("", role, dx=to_x - x, dy=to_y - y),)
    if path and way.length / steps > READABLE:
        parts = *parts, Path("", "steps", d=path)
    return Group(id_, "way", x, y, parts=parts, tip=tip)


def _forts(
    position: BattlebotsPosition, seen: Battlefield, fit: MapFit, players: Players
) -> Iterator[Shape]:
    """The forts: who holds them, and with how many."""
    seats = {player: seat for seat, player in enumerate(position.players)}
    for number, fort in enumerate(position.forts.values()):
        x, y = fit.spot(fort.place)
        scale = fit.fort / 20
        if fort.name not in seen.fort:
            fog = Stamp("", "fog", glyph="fog", scale=0.7 * scale)
            yield Group(f"fort-{number}", "fort", x, y, parts=(fog,), tip="not in sight")
            continue
        seat = seats.get(fort.owner)
        parts = tuple(_fort_parts(fort, seat, fit, scale))
        owner = NEUTRAL_NAME if seat is None else players.name(seat)
        tip = f"{fort.name}: {owner}, {fort.soldiers}"
        yield Group(f"fort-{number}", "fort", x, y, parts=parts, tip=tip)


def _fort_parts(fort: Fort, seat: int | None, fit: MapFit, scale: float) -> Iterator[Shape]:
    theme = None if seat is None else PLAYER_THEMES[seat]
    count = format_count(fort.soldiers)
    size = COUNT_SIZES[len(count)] * fit.fort
    if theme is None:
        yield Stamp("", "keep", glyph="keep", scale=scale)
        role, drop = "count neutral", 4.0
    else:
        yield Stamp("", theme.role, glyph=f"shape-{theme.role}", scale=scale)
        role, drop = f"count {theme.role}", theme.drop
    if size >= READABLE:
        yield Label("", role, 0, drop * scale, text=count, size=size)
    if fit.fort * 0.7 >= READABLE:
        yield Label("", "fort-name", 0, fit.fort + 9, text=fort.name[:LONGEST_NAME], size=NAME)


def _armies(
    position: BattlebotsPosition, seen: Battlefield, fit: MapFit, players: Players
) -> Iterator[Shape]:
    """The armies, each a little to the right of the middle of its road; crowds as columns."""
    known = {frozenset(road) for road in seen.roads}
    places = {fort.name: fort.place for fort in position.layout.field.forts}
    for lane, there in groupby(position.armies, attrgetter("origin", "target", "lane")):
        origin, target, number = lane
        if frozenset((origin, target)) not in known:
            continue
        way = find_way(fit, places[origin], places[target])
        (ax, ay), heading = way.ahead, way.heading
        aside = 0.45 * fit.army
        close = fit.army * (CLOSE if fit.fort > ROOMY else CLOSE_IN_CROWDS)
        for id_, column in _columns(there, number, close / way.length):
            head = column[-1]
            x, y = way.at(head.share)
            soldiers = sum(army.soldiers for army in column)
            name = players.name(head.seat)
            march = f"{_size(column, soldiers)} from {origin} to {target}, {_arrival(column)}"
            crowd = f"{soldiers} from {origin} to {target}"
            tip = f"{name}: {march if fit.fort > ROOMY else crowd}"
            parts = _army_parts(head.seat, format_count(soldiers), fit.army, heading)
            yield Group(id_, "army", x - ay * aside, y + ax * aside, parts=parts, tip=tip)


def _columns(
    armies: Iterable[Army], lane: int, close: float
) -> Iterator[tuple[str, Sequence[Army]]]:
    """Armies of one lane with the ids of their marks: those whose marks would hide each other, one.

    Of a player they are those that leave within some turns, so that a column stays what it is on
    its march. `close` is the share of the way that a mark needs.
    """
    found: dict[tuple[int, int], list[Army]] = {}
    for army in armies:
        turns = ceil(close * army.steps)
        found.setdefault((army.left_at - army.left_at % turns, army.seat), []).append(army)
    for (turn, seat), column in found.items():
        yield f"army-{lane}-{turn}-{seat}", column


def _size(column: Sequence[Army], soldiers: int) -> str:
    return f"{soldiers}" if len(column) == 1 else f"{soldiers} in {len(column)} armies"


def _arrival(column: Sequence[Army]) -> str:
    first, last = column[-1].arrives_at, column[0].arrives_at
    return f"arriving in turn {first}" if first == last else f"arriving in turns {first} to {last}"


@functools.lru_cache(maxsize=8192)  # armies of one heading look the same
def _army_parts(seat: int, text: str, r: float, heading: int) -> tuple[Shape, ...]:
    """The player's shape with a point in the direction of the march, and the soldiers beside it."""
    theme = PLAYER_THEMES[seat]
    ax, ay = cos(heading * tau / HEADINGS), sin(heading * tau / HEADINGS)
    corners = ((2.6, 0.0), (1.05, 0.68), (1.05, -0.68))  # ahead and aside
    point = polygon(*((r * (a * ax - b * ay), r * (a * ay + b * ax)) for a, b in corners))
    body = Path("", f"march {theme.role}", d=point + scaled(theme.outline, 0.9 * r / 20))
    size = min(LARGEST_SIZE, 1.3 * r)
    if size < READABLE:
        return (body,)
    reach = r + 3 + 0.3 * size * (len(text) * abs(ay) + 1.2 * abs(ax))
    return body, Label("", "size", -ay * reach, ax * reach, text=text, size=size)
