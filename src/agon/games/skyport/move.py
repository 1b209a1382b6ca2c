"""What a seat submits: a loadout, or a turn of up to three actions.

An action is the number that the rules use (see `board.py`) and, if it could not be understood, the
complaint about it. A turn is a tuple of actions; `notation.py` has its text.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import IllegalMoveError, SettingError
from agon.games.skyport import board
from agon.games.skyport.setup import hexes_near
from agon.games.skyport.weapons import DROID_RANGE, MORTAR_RANGE, by_level

if TYPE_CHECKING:
    from collections.abc import Sequence

DIRECTIONS = ("up", "down", "right-up", "right-down", "left-up", "left-down")
WEAPONS = ("laser", "mortar", "droid")
FARTHEST = 99
LONGEST_COMPLAINT = 200


@dataclass(frozen=True, slots=True)
class Action:
    """One action, well-formed or not; whether it is carried out is for the rules to say."""

    code: int
    complaint: str = ""

    def __post_init__(self) -> None:
        if not is_action(self.code) or bool(self.complaint) != (self.code == board.INVALID):
            raise SettingError(f"action {self.code}, {self.complaint!r}: there is none like it")

    @property
    def kind(self) -> int:
        """MOVE, MINE ... as in `board.py`."""
        return self.code & board.KIND

    @property
    def steps(self) -> tuple[int, ...]:
        """The directions of a move, a laser or a droid."""
        parameter = self.code >> board.PARAMETER
        if self.kind != board.DROID:
            return (parameter,)
        return tuple(parameter >> 3 * step & 7 for step in range(1, (parameter & 7) + 1))

    @property
    def offset(self) -> tuple[int, int]:
        """How far away a mortar's target is, in j and k."""
        j, k = self.code >> board.PARAMETER & 255, self.code >> board.PARAMETER + 8
        return j - board.SHIFT_TO_POSITIVE, k - board.SHIFT_TO_POSITIVE

    @property
    def weapon(self) -> int:
        """The weapon of an upgrade or of a shot."""
        if self.kind == board.UPGRADE:
            return self.code >> board.PARAMETER
        return self.kind - board.LASER


@functools.lru_cache(1 << 14)
def is_action(code: int) -> bool:
    kind, parameter = code & board.KIND, code >> board.PARAMETER
    if kind in (board.MOVE, board.LASER):
        return 0 <= parameter < len(DIRECTIONS)
    if kind == board.UPGRADE:
        return 0 <= parameter < len(WEAPONS)
    if kind == board.MORTAR:
        j, k = (parameter & 255) - 128, (parameter >> 8) - 128
        return abs(j) <= FARTHEST and abs(k) <= FARTHEST
    if kind == board.DROID:
        count = parameter & 7
        steps = [parameter >> 3 * step & 7 for step in range(1, count + 1)]
        return (
            count <= board.TOO_MANY
            and parameter >> 3 * (count + 1) == 0
            and all(step < len(DIRECTIONS) for step in steps)
        )
    return parameter == 0


MINE = Action(board.MINE)
PASS = Action(board.PASS)


def move(direction: int) -> Action:
    """R8: one step."""
    return Action(board.MOVE | direction << board.PARAMETER)


def upgrade(weapon: int) -> Action:
    """R10: a level more."""
    return Action(board.UPGRADE | weapon << board.PARAMETER)


def laser(direction: int) -> Action:
    """R12: a ray."""
    return Action(board.LASER | direction << board.PARAMETER)


def mortar(j: int, k: int) -> Action:
    """R13: a shell so far away; what is out of sight is out of range, and drawn nearer."""
    j, k = (max(-FARTHEST, min(FARTHEST, n)) + board.SHIFT_TO_POSITIVE for n in (j, k))
    return Action(board.MORTAR | (j | k << 8) << board.PARAMETER)


def droid(steps: Sequence[int]) -> Action:
    """R14: a droid with this list; no more of it is kept than shows that it is too long."""
    kept = steps[: board.TOO_MANY]
    parameter = len(kept) | sum(step << 3 * place for place, step in enumerate(kept, 1))
    return Action(board.DROID | parameter << board.PARAMETER)


def not_understood(complaint: str) -> Action:
    """R7: an action that will be refused with this complaint."""
    return Action(board.INVALID, complaint[:LONGEST_COMPLAINT])


@functools.cache
def all_shots(weapon: int, level: int) -> Sequence[Action]:
    """Every shot of a weapon that is not refused."""
    if weapon == board.LASER_WEAPON:
        return tuple(map(laser, range(board.DIRECTIONS)))
    if weapon == board.MORTAR_WEAPON:
        reach = int(by_level(MORTAR_RANGE, level))
        return tuple(mortar(j, k) for j, k in hexes_near()[: 1 + 3 * reach * (reach + 1)])
    lengths = range(int(by_level(DROID_RANGE, level)) + 1)
    walks = (walk for n in lengths for walk in product(range(board.DIRECTIONS), repeat=n))
    return tuple(map(droid, walks))


@dataclass(frozen=True, slots=True)
class Loadout:
    """R5: two different weapons by number."""

    primary: int
    secondary: int

    def __post_init__(self) -> None:
        if self.primary == self.secondary:
            raise IllegalMoveError(f"loadout {self}: expected two different weapons")

    @property
    def code(self) -> int:
        """The number that the rules use."""
        return self.primary * len(WEAPONS) + self.secondary

    def __str__(self) -> str:
        """The text of a loadout.

        >>> str(DEFAULT_LOADOUT)
        'loadout laser mortar'
        """
        return f"loadout {WEAPONS[self.primary]} {WEAPONS[self.secondary]}"


DEFAULT_LOADOUT = Loadout(board.LASER_WEAPON, board.MORTAR_WEAPON)
LOADOUTS = tuple(Loadout(one, two) for one in range(3) for two in range(3) if one != two)

Actions: TypeAlias = tuple[Action, ...]
Turn: TypeAlias = Loadout | Actions


def check_length(actions: Sequence[Action]) -> None:
    """R7: refuse more actions than a turn has slots."""
    if len(actions) > board.SLOTS:
        raise IllegalMoveError(f"turn of {len(actions)} actions: expected {board.SLOTS} at most")
