"""A position as a picture: the map, the robots, the last shot; and how everybody is.

A hex has the id `hex-3-2`, a robot `robot-1`: renderers that move shapes by their ids show it walk.

    +---------------------------------+
    | headline                        |
    |       map              seat 0   |
    |                        seat 1   |
    +---------------------------------+
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from agon.games.scene import Anchor, Box, Disc, Group, Hex, Label, Line, Look, Scene, Style
from agon.games.skyport.action import WEAPONS, format_action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.scene import Shape
    from agon.games.skyport.mapfile import Hex as Place
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Robot

WIDTH, HEIGHT = 1200, 700
MAP_WIDTH, MAP_TOP = 880, 60
TILES = {
    "G": "grass",
    "R": "rubidium",
    "E": "explodium",
    "C": "scrap",
    "V": "void",
    "O": "rock",
    "S": "spawn",
}
SEATS = ("#d1495b", "#00798c", "#edae49", "#7768ae", "#66a182", "#e07be0", "#8d5524", "#5c6b73")
LOOK = Look(
    "skyport",
    (
        Style("table", fill=("#f4f1ea", "#1b1e22")),
        Style("tile", line=("#ffffff", "#101214"), width=1.5),
        Style("tile grass", fill=("#a7c98f", "#44603a")),
        Style("tile rubidium", fill=("#d98a8a", "#8a4444")),
        Style("tile explodium", fill=("#e8cf6a", "#8a7a2e")),
        Style("tile scrap", fill=("#7fb7c9", "#38606e")),
        Style("tile void", fill=("#e4e0d8", "#14171a")),
        Style("tile rock", fill=("#77716a", "#6c6862")),
        Style("tile spawn", fill=("#cdb4db", "#5b4a68")),
        Style("letter", fill=("#00000066", "#ffffff66")),
        Style("word", fill=("#222222", "#eeeeee")),
        Style("headline", fill=("#222222", "#eeeeee"), bold=True),
        Style("number", fill="#ffffff", bold=True),
        Style("dead", opacity=0.35),
        Style("shot", line="#ff3b30", width=4),
        Style("blast", fill="#ff3b30", opacity=0.35),
        *(Style(f"seat{seat}", fill=colour) for seat, colour in enumerate(SEATS)),
    ),
)


def skyport_scene(position: SkyportPosition) -> Scene:
    """The position as everybody sees it."""
    shapes: list[Shape] = [
        Box("table", "table", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        Label("headline", "headline", 30, 34, text=position.headline, size=24, anchor=Anchor.START),
    ]
    shapes += _tiles(position)
    shapes += [_robot(position, robot) for robot in position.robots]
    shapes += _shot(position)
    for robot in position.robots:
        shapes += _panel(robot)
    return Scene(f"Skyport: {position.headline}", WIDTH, HEIGHT, LOOK, tuple(shapes))


def _size(side: int) -> float:
    """From the centre of a hex to its corner: as large as the map allows."""
    return min(MAP_WIDTH / (3 * side), (HEIGHT - MAP_TOP - 20) / (side * sqrt(3)))


def _middle(side: int, place: Place) -> tuple[float, float]:
    """Where a hex lies: j grows to the lower left, k to the lower right."""
    size = _size(side)
    j, k = place
    x = MAP_WIDTH / 2 + 20 + 1.5 * size * (k - j)
    return x, MAP_TOP + size * sqrt(3) / 2 * (1 + j + k)


def _tiles(position: SkyportPosition) -> Iterator[Shape]:
    side = position.map.side
    size = _size(side)
    for j, row in enumerate(position.rows):
        for k, letter in enumerate(row):
            x, y = _middle(side, (j, k))
            tip = f"{j}, {k}: {TILES[letter]}"
            yield Hex(f"hex-{j}-{k}", f"tile {TILES[letter]}", x, y, size=size, flat=True, tip=tip)
            if letter in "REC":
                yield Label(f"letter-{j}-{k}", "letter", x, y, text=letter, size=size)


def _robot(position: SkyportPosition, robot: Robot) -> Shape:
    size = _size(position.map.side)
    x, y = _middle(position.map.side, robot.place)
    role = f"seat{robot.seat}" if robot.health else f"dead seat{robot.seat}"
    parts = (
        Disc("", role, radius=0.62 * size),
        Label("", "number", text=str(robot.seat), size=0.8 * size),
    )
    tip = f"seat {robot.seat}: {robot.health} health, {robot.score} points"
    return Group(f"robot-{robot.seat}", "robot", x, y, parts=parts, tip=tip)


def _shot(position: SkyportPosition) -> Iterator[Shape]:
    """The ray or the explosion of the last turn."""
    side = position.map.side
    for deed in position.deeds:
        if deed.origin is None or deed.target is None:
            continue
        x, y = _middle(side, deed.target)
        if format_action(deed.action).startswith("laser"):
            from_x, from_y = _middle(side, deed.origin)
            yield Line("shot", "shot", from_x, from_y, dx=x - from_x, dy=y - from_y)
        else:
            yield Disc("blast", "blast", x, y, radius=2 * _size(side))


def _panel(robot: Robot) -> Iterator[Shape]:
    x, y = MAP_WIDTH + 60, MAP_TOP + 30 + 76 * robot.seat
    weapons = ", ".join(f"{WEAPONS[weapon]} {robot.levels[weapon]}" for weapon in robot.weapons)
    state = f"{robot.health} health" if robot.health else "dead"
    yield Disc(f"badge-{robot.seat}", f"seat{robot.seat}", x, y, radius=16)
    yield Label(f"badge-number-{robot.seat}", "number", x, y, text=str(robot.seat), size=18)
    for row, text in enumerate((f"{robot.score} points, {state}", weapons or "no weapons yet")):
        name = f"panel-{robot.seat}-{row}"
        place = (x + 28, y - 9 + 24 * row)
        yield Label(name, "word", *place, text=text, size=17, anchor=Anchor.START)
