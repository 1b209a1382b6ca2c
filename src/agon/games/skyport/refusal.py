"""Why an action is refused, in words: what a bot gets as an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.skyport import board, weapons
from agon.games.skyport.move import WEAPONS
from agon.games.skyport.notation import format_action

if TYPE_CHECKING:
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.move import Action
    from agon.games.skyport.position import SkyportPosition

RESOURCES = ("rubidium", "explodium", "scrap")
RANGES = (weapons.LASER_RANGE, weapons.MORTAR_RANGE, weapons.DROID_RANGE)


def format_place(place: Place) -> str:
    """A hex as the protocol writes it.

    >>> format_place((3, 2))
    '3, 2'
    """
    return f"{place[0]}, {place[1]}"


def name_tile(letter: str) -> str:
    """A tile by its letter.

    >>> name_tile("G"), name_tile("O")
    ('a G tile', 'an O tile')
    """
    return f"{'an' if letter in 'RESO' else 'a'} {letter} tile"


def explain(result: int, action: Action, position: SkyportPosition, seat: int) -> str | None:
    """The error text for what `rules.take_action` found; None: the action was carried out."""
    if result == weapons.DONE:
        return None
    if result == weapons.NOT_UNDERSTOOD:
        return action.complaint
    return f"{format_action(action)}: {_reason(result, action, position, seat)}"


def _reason(result: int, action: Action, position: SkyportPosition, seat: int) -> str:
    robot = position.robots[seat]
    if result == weapons.NOT_ACCESSIBLE:
        tile = name_tile(position.tile(_target(action, robot.place)))
        return f"{tile} is not accessible"
    if result == weapons.IS_OCCUPIED:
        return f"{format_place(_target(action, robot.place))} is occupied"
    if result == weapons.NOTHING_TO_MINE:
        return f"nothing to mine on {name_tile(position.tile(robot.place))}"
    if result == weapons.NOT_CARRIED:
        carried = [WEAPONS[weapon] for weapon in robot.weapons]
        return f"you carry {' and '.join(carried)}"
    if result == weapons.NOT_ENOUGH_UNITS:
        return f"not enough {RESOURCES[action.weapon]}"
    if result in (weapons.OUT_OF_RANGE, weapons.TOO_LONG):
        level = robot.levels[action.weapon]
        reach = RANGES[action.weapon] >> 8 * (level - 1) & 255
        if result == weapons.OUT_OF_RANGE:
            return f"out of range, level {level} reaches {reach}"
        return f"too long, level {level} walks {reach}"
    return {
        weapons.TURN_IS_OVER: "your turn is over",
        weapons.OFF_THE_MAP: "off the map",
        weapons.IS_TOP_LEVEL: f"level {board.TOP_LEVEL} is the highest",
        weapons.SHOT_FROM_SPAWN: "no shots from a spawn tile",
    }[result]


def _target(action: Action, place: Place) -> Place:
    j, k = board.STEPS[action.steps[0]]
    return place[0] + j, place[1] + k
