"""A position as a picture: the island on the left, the robots' state on the right.

A hex has the id `hex-3-2`, a robot `robot-1`, a droid and a shell under way `droid` and `shell`:
renderers that move shapes by their ids show them move. All pictures have one size; the map is made
to fit. Maps with very many hexes are drawn as one shape for each kind of tile, and robots there are
larger than their hexes. Seats do not see units, nor what is left in mines.

    +------------------------+---------+
    | headline               | Red     |     (0, 0) on top, j to the lower left, k to the
    |         island         | Blue    |     lower right, as R1 draws it
    | the last turn      key |         |
    +------------------------+---------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.players import Players
from agon.games.scene import Scene
from agon.games.shapes import READABLE, Box, Fit, Group, Hex, Label, Path, Shape, Stamp
from agon.games.skyport.look import (
    HEX,
    LOOK,
    PLAYER_THEMES,
    ROOT3,
    SEAT_NAMES,
    TILES,
    middle,
    outline,
)
from agon.games.skyport.panel import (
    ROWS,
    draw_last_turn,
    draw_panel,
    draw_tile_key,
    headline,
    health_bar,
    spawn_pad,
)
from agon.games.skyport.shots import Trace, draw_flying, draw_pops, draw_trace
from agon.games.skyport.stages import Phase
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Robot

WIDTH, HEIGHT = 1200, 740
ISLAND = (18, 52, 934, 600)  # left, top, right, bottom
BIGGEST = 1.5
MANY = 32  # the longest side of a map whose hexes are drawn one by one
AXIS = 15.0
ROBOT = 17.0
SMALLEST_ROBOT = 8.0


class MapFit(Fit):
    """Where the island lies, and how large its robots are."""

    @property
    def robot(self) -> float:
        """By how much robots are larger than suits their hexes, so that they can be seen."""
        return max(1.0, SMALLEST_ROBOT / (ROBOT * self.scale))


def skyport_scene(
    position: SkyportPosition, seat: int | None = None, names: Sequence[str] = ()
) -> Scene:
    """The position as spectators see it, or as a seat does."""
    players = Players(SEAT_NAMES, names)
    told = headline(position, players)
    fit = fit_map(position.map.side)
    trace = Trace(position, fit.robot)
    parts = (
        *_tiles(position, fit, seat is None),
        *_axes(position.map.side, fit),
        *draw_trace(trace),
        *_robots(position, fit, players),
        *draw_flying(trace),
        *draw_pops(trace, fit.scale),
    )
    shapes = (
        Box("sky", "sky", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", 28, 32, text=told, size=24, room=ROWS.left - 40),
        Group("island", "island", fit.x, fit.y, scale=fit.scale, parts=parts),
        *draw_last_turn(position, players),
        *draw_tile_key(),
        *draw_panel(position, seat, players),
    )
    return Scene(f"Skyport: {told}", WIDTH, HEIGHT, LOOK, shapes)


def fit_map(side: int) -> MapFit:
    """The largest scale at which all hexes, and the numbers beside them, fit."""
    left, top, right, bottom = ISLAND
    wide, high = HEX * (3 * side + 0.6), HEX * ROOT3 * (side + 0.4)
    scale = min(BIGGEST, (right - left) / wide, (bottom - top) / high)
    above = scale * HEX * ROOT3 / 2 * (side - 1)
    return MapFit((left + right) / 2, (top + bottom) / 2 - above, scale)


# --- the island -----------------------------------------------------------------------------------


def _tiles(position: SkyportPosition, fit: MapFit, is_all_seen: bool) -> Iterator[Shape]:
    half_mined = {*position.half_mined} if is_all_seen else set()
    owners = {place: seat for seat, place in enumerate(position.map.spawns)}
    side = position.map.side
    if side > MANY:
        yield from _areas(position)
    for j in range(side):
        for k in range(side):
            place = j, k
            tile = TILES[position.tile(place)]
            units = 1 if place in half_mined else 2
            parts = (*_signs(tile, units, owners.get(place), fit),)
            x, y = middle(place)
            if side <= MANY:
                hexagon = Hex("", f"tile {tile}", size=HEX, flat=True)
                tip = describe_tile(position, place, is_all_seen)
                yield Group(f"hex-{j}-{k}", "hex", x, y, parts=(hexagon, *parts), tip=tip)
            elif parts and tile != "void":
                yield Group(f"hex-{j}-{k}", "hex", x, y, parts=parts)


def _areas(position: SkyportPosition) -> Iterator[Shape]:
    """All hexes of each kind of tile as one shape."""
    paths: dict[str, list[str]] = {tile: [] for tile in TILES.values()}
    for j, row in enumerate(position.rows):
        for k, letter in enumerate(row):
            paths[TILES[letter]].append(outline((j, k)))
    for tile, outlines in paths.items():
        if outlines:
            yield Path(f"tiles-{tile}", f"tile {tile}", d="".join(outlines))


def _signs(tile: str, units: int, owner: int | None, fit: MapFit) -> Iterator[Shape]:
    """What is on a tile besides its colour."""
    if owner is not None:
        pad = (*spawn_pad(owner), Label("", "pad-number", text=str(owner), size=22))
        yield Group("", "spawn", parts=pad, scale=max(1, 0.75 * fit.robot))
    elif tile in ("rubidium", "explodium", "scrap"):
        yield Stamp("", tile, glyph=f"{tile}-{units}")
    elif tile in ("rock", "void"):
        yield Stamp("", tile, glyph=tile)


def describe_tile(position: SkyportPosition, place: Place, is_all_seen: bool) -> str:
    """A hex for who points at it."""
    letter = position.tile(place)
    words = f"{place[0]}, {place[1]}: {TILES[letter]}"
    if letter == "S":
        return f"{words} of {PLAYER_THEMES[position.map.spawns.index(place)].name}"
    if letter in "REC" and is_all_seen:
        return f"{words}, {'1 unit' if place in position.half_mined else '2 units'} left"
    return words


def _axes(side: int, fit: MapFit) -> Iterator[Shape]:
    """The numbers of j along the upper left side, of k along the upper right one."""
    every = next(n for n in (1, 2, 5, 10, 20) if fit.shows(AXIS * n) or n == 20)
    size = max(AXIS, READABLE * 1.5 / fit.scale)
    away = -0.66 - 0.3 * (size / AXIS - 1)
    for number in range(0, side, every):
        for name, place in (("j", (number, away)), ("k", (away, number))):
            x, y = middle(place)
            yield Label(f"axis-{name}-{number}", "axis", x, y, text=str(number), size=size)


# --- the robots -----------------------------------------------------------------------------------


def _robots(position: SkyportPosition, fit: MapFit, players: Players) -> Iterator[Shape]:
    """Bodies first, so that the living stand before them where robots are larger than hexes."""
    dying = _dying(position)
    for robot in sorted(position.robots, key=lambda robot: robot.health > 0):
        x, y = middle(robot.place)
        is_body = not robot.health and robot.seat not in dying
        parts = tuple(_body(robot) if is_body else _living(position, robot))
        state = "dead" if is_body else f"{robot.health} health"
        tip = f"{players.name(robot.seat)}: {state}, {robot.score} points"
        yield Group(f"robot-{robot.seat}", "robot", x, y, parts=parts, scale=fit.robot, tip=tip)


def _dying(position: SkyportPosition) -> set[int]:
    """The robots that are just being hit, and not yet bodies."""
    if position.moment is None or position.moment.phase is not Phase.HIT:
        return set()
    return {hit.seat for hit in position.deeds[-1].hits}


def _living(position: SkyportPosition, robot: Robot) -> Iterator[Shape]:
    theme = PLAYER_THEMES[robot.seat]
    if robot.seat in position.to_act and position.turn:
        yield Hex("", "turn", size=HEX - 2, flat=True)
    yield Stamp("", theme.role, 0, -3, glyph=f"robot-{theme.role}", scale=0.9)
    number = str(robot.seat)
    yield Label("", f"number {theme.role}", 0, theme.drop - 3, text=number, size=19)
    yield from health_bar(robot.health, 0, 19, 30, 6.5)


def _body(robot: Robot) -> Iterator[Shape]:
    theme = PLAYER_THEMES[robot.seat]
    yield Stamp("", theme.role, glyph=f"body-{theme.role}", scale=0.9)
    yield Stamp("", "body", glyph="cross")
