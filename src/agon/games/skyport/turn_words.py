"""The last turn in words: what was done, whom it hit, what was refused, what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.players import Players
from agon.games.skyport import board
from agon.games.skyport.look import SEAT_NAMES
from agon.games.skyport.notation import format_action
from agon.games.skyport.rules import IDLE_POINTS, SPAWN_POINTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Deed

EXPLODES_ON = "GREC"  # R13
COLOURS = Players(SEAT_NAMES)
"""The players as they are called where their names are not known."""


def last_actor(position: SkyportPosition) -> int | None:
    """The seat whose turn led here, or leads on from here if this is a stage of it."""
    if len(position.last_turns) != 1:
        return None  # the start, and the loadouts of all
    return next(iter(position.last_turns))


def is_shot(deed: Deed) -> bool:
    """Whether a shot was made."""
    return deed.refusal is None and deed.action.kind >= board.LASER


def is_lost(position: SkyportPosition, deed: Deed) -> bool:
    """R13: whether a shell came down where it does not explode."""
    if deed.action.kind != board.MORTAR:
        return False
    return deed.target is None or position.tile(deed.target) not in EXPLODES_ON


def describe_impact(position: SkyportPosition, deed: Deed, players: Players = COLOURS) -> str:
    """What came of a shot."""
    if is_lost(position, deed):
        return "the shell is lost"
    told = [
        f"{players.full(hit.seat)} loses {hit.lost}{' and dies' * hit.is_fatal}"
        for hit in deed.hits
    ]
    return ", ".join(told) or "no robot is hit"


def describe_deed(position: SkyportPosition, deed: Deed, players: Players = COLOURS) -> str:
    """An action and what came of it."""
    if deed.refusal is not None:
        return f"refused: {deed.refusal}"
    name = format_action(deed.action)
    return f"{name}: {describe_impact(position, deed, players)}" if is_shot(deed) else name


def describe_penalties(position: SkyportPosition) -> str:
    """R17: what the turn that led here has cost, all of whose deeds are there."""
    seat = last_actor(position)
    if seat is None:
        return ""
    costs = []
    if all(deed.refusal or deed.action.kind == board.PASS for deed in position.deeds):
        costs.append(f"{IDLE_POINTS} points for doing nothing")
    if position.robots[seat].place == position.map.spawns[seat]:
        costs.append(f"{SPAWN_POINTS} for staying on the spawn")
    return f"lost: {' and '.join(costs)}" if costs else ""


def find_returned(before: Sequence[int], after: SkyportPosition) -> list[int]:
    """R16: the seats that had no health before and are alive again."""
    return [seat for seat, robot in enumerate(after.robots) if robot.health and not before[seat]]
