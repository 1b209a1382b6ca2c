r"""A position as text: the map as in a file, with robots, and below it how they are.

       __/R \__/G1\__        the robot of seat 1 on grass, on rubidium nobody

Where the map is too wide for that, each hex is one character: its letter, or the robot's number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.skyport.action import WEAPONS, format_action
from agon.games.skyport.mapfile import diagonal, draw_hexes

if TYPE_CHECKING:
    from rich.text import Text

    from agon.games.skyport.mapfile import Hex
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Robot

STYLES = {"R": "red", "E": "yellow", "C": "cyan", "O": "bold", "S": "magenta", "G": "green"}
ROBOT = "bold reverse"


def format_board(position: SkyportPosition, width: int = 80) -> str:
    """The board, the robots and the headline as plain text."""
    seats = {robot.place: str(robot.seat) for robot in position.robots}
    lines = _drawing(position, seats, width)
    lines += ["", *map(_robot_line, position.robots)]
    for deed in position.deeds:
        told = f"last: {format_action(deed.action)}"
        lines.append(told if deed.refusal is None else f"{told} (refused)")
    return "\n".join([*lines, position.headline])


def _drawing(position: SkyportPosition, seats: dict[Hex, str], width: int) -> list[str]:
    side = position.map.side
    if 6 * side + 2 <= width:
        return draw_hexes(side, lambda place: position.tile(place) + seats.get(place, " "))
    rows = [
        " ".join(seats.get(place, position.tile(place)) for place in diagonal(side, number))
        for number in range(2 * side - 1)
    ]
    return [row.center(2 * side - 1).rstrip() for row in rows]


def _robot_line(robot: Robot) -> str:
    weapons = ", ".join(f"{WEAPONS[weapon]} {robot.levels[weapon]}" for weapon in robot.weapons)
    health = f"{robot.health:3} health" if robot.health else "dead      "
    return f"seat {robot.seat}: {health} {robot.score:5} points  {weapons}".rstrip()


def board_text(position: SkyportPosition, width: int = 80) -> Text:
    """The same, coloured."""
    from rich.text import Text

    text = Text(format_board(position, width))
    for letter, style in STYLES.items():
        text.highlight_regex(rf"(?<=[/ ]){letter}(?=[ 0-7]|$)", style)
    text.highlight_regex(r"(?<=/[GRECS])[0-7]", ROBOT)
    return text
