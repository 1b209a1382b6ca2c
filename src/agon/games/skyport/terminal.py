r"""A position as text: the map, and below it how the robots are and what the last turn did.

       __/R \__/ 1\__        the robot of seat 1 on grass, on rubidium none
      /x2\__/s0\__/e \       the body of seat 2, the empty spawn of seat 0, half a mine

Where the map is too wide for that, each hex is one character, in rows as in the drawing, or, where
that is too wide as well, in a square: a line for each j, a column for each k. The same comes plain
(`format_board`) or coloured (`board_text`); games print nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from agon.games.players import Players
from agon.games.skyport.look import PLAYER_THEMES, SEAT_NAMES
from agon.games.skyport.mapfile import diagonal, draw_hexes
from agon.games.skyport.move import WEAPONS
from agon.games.skyport.panel import MINES, headline, verdict
from agon.games.skyport.stages import Phase
from agon.games.skyport.turn_words import describe_deed, describe_penalties, last_actor
from agon.games.text_fit import cell_width, fit_cells, fit_column, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Robot

Run: TypeAlias = tuple[str, str]
"""A piece of text, and a Rich style."""

STYLES = {"R": "red", "E": "yellow", "C": "cyan", "V": "dim", "O": "bold", "S": "magenta"}
FRAME = "dim"
MARK = "bold #e87a00"
DRAWN = "RECVOS"  # grass is what is left blank
BODY = "x"
NAME_LENGTH = 14
LABEL = re.compile(r"(?<=/)(..)(?=\\)")
KEY = "R E C mines (r e c: one unit left), V void, O rock, S spawn (s: empty), x body"


def format_board(position: SkyportPosition, width: int = 80, names: Sequence[str] = ()) -> str:
    """The map, the robots and the headline as plain text."""
    return "".join(text for text, _ in _runs(position, width, names))


def board_text(position: SkyportPosition, width: int = 80, names: Sequence[str] = ()) -> Text:
    """The same as a Rich text: robots in their colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, width, names), no_wrap=True)


def _runs(position: SkyportPosition, width: int, names: Sequence[str]) -> Iterator[Run]:
    players = Players(SEAT_NAMES, names, in_terminal=True)
    yield from _map(position, width)
    yield from _lines([KEY], width, FRAME)
    yield "\n", ""
    for robot in position.robots:
        yield from _robot(position, robot, width, players)
    yield "\n", ""
    yield from _lines(_last_turn(position, players), width, "")
    yield from _lines([headline(position, players)], width, "bold")


def _lines(texts: Sequence[str], width: int, style: str) -> Iterator[Run]:
    for text in texts:
        for line in wrap_cells(text, width):
            yield f"{line}\n", style


# --- the map --------------------------------------------------------------------------------------


def _map(position: SkyportPosition, width: int) -> Iterator[Run]:
    """In the largest form that fits."""
    side = position.map.side
    signs = find_signs(position)
    if 6 * side + 2 <= width:
        yield from _drawing(position, signs)
    elif 2 * side - 1 <= width:
        rows = [diagonal(side, number) for number in range(2 * side - 1)]
        for row in rows:
            yield " " * (side - len(row)), ""
            yield from _row(position, signs, row, " ")
    else:
        yield from _lines(["a line for each j, a column for each k, both from 0"], width, FRAME)
        for j in range(side):
            yield from _row(position, signs, [(j, k) for k in range(side)], "")


def find_signs(position: SkyportPosition) -> dict[Place, str]:
    """Two characters for each hex: its tile, and the seat of who is there or owns it."""
    half_mined = {*position.half_mined}
    owners = {place: seat for seat, place in enumerate(position.map.spawns)}
    signs = {}
    for j, row in enumerate(position.rows):
        for k, letter in enumerate(row):
            sign = letter.lower() if (j, k) in half_mined or (j, k) in owners else letter
            signs[j, k] = f"{sign if letter in DRAWN else ' '}{owners.get((j, k), ' ')}"
    for robot in position.robots:
        tile = signs[robot.place][0].upper() if robot.place in owners else signs[robot.place][0]
        signs[robot.place] = f"{tile if robot.health else BODY}{robot.seat}"
    return signs


def _drawing(position: SkyportPosition, signs: Mapping[Place, str]) -> Iterator[Run]:
    """Hexes with their sides."""
    side = position.map.side
    for number, line in enumerate(draw_hexes(side, lambda place: signs[place])):
        places = diagonal(side, number - 1) if number else []
        frame, *rest = LABEL.split(line)
        yield frame, FRAME
        for place, label, after in zip(places, rest[::2], rest[1::2], strict=False):
            yield label, _style(position, place, label)
            yield after, FRAME
        yield "\n", ""


def _row(
    position: SkyportPosition, signs: Mapping[Place, str], row: Sequence[Place], between: str
) -> Iterator[Run]:
    """One character for each hex: the robot if there is one, else the tile."""
    for number, place in enumerate(row):
        label = signs[place]
        text = label[0] if label[0] in f"s{BODY}" else label.strip()[-1:] or "."
        yield text, _style(position, place, label)
        yield between if number < len(row) - 1 else "\n", ""


def _style(position: SkyportPosition, place: Place, label: str) -> str:
    if label[1] != " " and label[0] not in f"s{BODY}":
        theme = PLAYER_THEMES[int(label[1])]
        return f"bold {theme.number} on {theme.light}"
    return STYLES.get(position.tile(place), "")


# --- the robots and the last turn -----------------------------------------------------------------


def _robot(position: SkyportPosition, robot: Robot, width: int, players: Players) -> Iterator[Run]:
    """One robot: whether it is asked, points, health, weapons, what it has mined."""
    theme = PLAYER_THEMES[robot.seat]
    yield (">" if robot.seat in position.to_act else " "), MARK
    yield f" {robot.seat} ", f"bold {theme.number} on {theme.light}"
    health = f"{robot.health:3} health" if robot.health else "      dead"
    told = f" {robot.score:5} points  {health}"
    name = f" {fit_column(players.name(robot.seat), NAME_LENGTH if players.names else 6)}"
    if cell_width(name + told) + 6 <= width:
        told = name + told
    weapons = [f"{WEAPONS[weapon]} {robot.levels[weapon]}" for weapon in robot.weapons]
    units = [f"{n} {name}" for n, name in zip(robot.units, MINES, strict=True) if n]
    ending = verdict(position, robot.seat)
    for part in ("  ".join(f"{weapon:8}" for weapon in weapons), ", ".join(units), ending):
        if part and cell_width(told) + len(part) + 6 <= width:
            told += f"  {part}"
    yield fit_cells(told.rstrip(), max(0, width - 4)) + "\n", ""


def _last_turn(position: SkyportPosition, players: Players) -> list[str]:
    """The last turn in lines, as far as it has come."""
    seat = last_actor(position)
    if seat is None:
        return []
    who = players.full(seat)
    told = [f"{who}, {describe_deed(position, deed, players)}" for deed in position.deeds]
    moment = position.moment
    if moment is not None and moment.phase is Phase.FLIGHT:
        told[-1] = told[-1].partition(":")[0]
    penalties = describe_penalties(position)
    if penalties and (moment is None or moment.phase is Phase.CHARGED):
        told.append(f"{who}, {penalties}")
    return told
