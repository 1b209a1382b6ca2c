"""What a seat submits: a loadout, or a turn of up to three actions; as values and as text.

An action is the number that the rules use (see `board.py`) and, if it could not be understood, the
complaint about it. A turn is a tuple of actions; its text is described in the README.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.skyport import board
from agon.games.skyport.setup import hexes_near
from agon.games.skyport.weapons import DROID_RANGE, MORTAR_RANGE, by_level
from agon.strict_json import load_json

if TYPE_CHECKING:
    from collections.abc import Sequence

DIRECTIONS = ("up", "down", "right-up", "right-down", "left-up", "left-down")
WEAPONS = ("laser", "mortar", "droid")
KINDS = ("?", "move", "mine", "upgrade", "pass", *WEAPONS)
SPELLINGS = {name: number for number, name in enumerate(DIRECTIONS)} | {
    re.sub("-(.)", lambda found: found[1].upper(), name): number
    for number, name in enumerate(DIRECTIONS)
}
"""The number of a direction by its name, in both spellings: `right-up` and `rightUp`."""
FARTHEST = 99
LONGEST_COMPLAINT = 200
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Action:
    """One action, well-formed or not; whether it is carried out is for the rules to say."""

    code: int
    complaint: str = ""

    def __post_init__(self) -> None:
        """Refuse a number that is no action's."""
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
    """Whether an action has this number."""
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
        """Refuse what are not two weapons."""
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

# --- text ---------------------------------------------------------------------------------------

_ACTION = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^;"])*')
_OFFSET = re.compile(r"(-?[0-9]{1,2}) *, *(-?[0-9]{1,2})", re.ASCII)
_EXAMPLES = "such as move up, mine, upgrade laser, laser down, mortar 1,-2, droid up,down or pass"


def format_action(action: Action) -> str:
    """The text of an action.

    >>> format_action(droid([0, 3])), format_action(mortar(2, -1))
    ('droid up,right-down', 'mortar 2,-1')
    """
    name = KINDS[action.kind]
    if action.kind in (board.MOVE, board.LASER, board.DROID):
        return f"{name} {','.join(DIRECTIONS[step] for step in action.steps)}".rstrip()
    if action.kind == board.UPGRADE:
        return f"{name} {WEAPONS[action.weapon]}"
    if action.kind == board.MORTAR:
        return f"{name} {action.offset[0]},{action.offset[1]}"
    return f"? {json.dumps(action.complaint)}" if action.kind == board.INVALID else name


def parse_action(text: str) -> Action:
    name, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if name in ("move", "laser"):
        return (move if name == "move" else laser)(_direction(rest, text))
    if name == "upgrade" and rest in WEAPONS:
        return upgrade(WEAPONS.index(rest))
    if name == "mortar" and (offset := _OFFSET.fullmatch(rest)):
        return mortar(int(offset[1]), int(offset[2]))
    if name == "droid":
        steps = [_direction(step.strip(), text) for step in rest.split(",")] if rest else []
        if len(steps) <= board.TOO_MANY:
            return droid(steps)
    if name in ("mine", "pass") and not rest:
        return MINE if name == "mine" else PASS
    if name == "?" and (complaint := _complaint(rest)):
        return not_understood(complaint)
    raise NotationError(f"action {text[:60]!r}: expected an action, {_EXAMPLES}")


def _direction(name: str, text: str) -> int:
    if name not in SPELLINGS:
        expected = ", ".join(DIRECTIONS)
        raise NotationError(f"action {text[:60]!r}: direction {name[:20]!r}: expected {expected}")
    return SPELLINGS[name]


def _complaint(text: str) -> str:
    try:
        complaint = load_json(text)
    except ValueError:
        return ""
    fits = isinstance(complaint, str) and len(complaint) <= LONGEST_COMPLAINT
    return complaint if fits else ""


def format_turn(turn: Turn) -> str:
    """The text of a turn.

    >>> format_turn((move(2), MINE, PASS)), format_turn(())
    ('move right-up; mine; pass', 'nothing')
    """
    if isinstance(turn, Loadout):
        return str(turn)
    return "; ".join(map(format_action, turn)) or NOTHING


def parse_turn(text: str) -> Turn:
    """Read a loadout or a turn."""
    words = text.split()
    if words == [NOTHING]:
        return ()
    if words[:1] == ["loadout"]:
        if len(words) != 3 or not {*words[1:]} <= {*WEAPONS}:
            expected = f"two of {', '.join(WEAPONS)}"
            raise NotationError(f"loadout {text[:60]!r}: expected {expected}")
        return Loadout(WEAPONS.index(words[1]), WEAPONS.index(words[2]))
    actions: list[Action] = []
    end = -1
    while end < len(text):
        found = _ACTION.match(text, end + 1)
        if found is None or text[found.end() : found.end() + 1] not in ("", ";"):
            raise NotationError(f"turn {text[:60]!r}: a quotation mark without its partner")
        actions.append(parse_action(found[0]))
        end = found.end()
    check_length(actions)
    return tuple(actions)


def check_length(actions: Sequence[Action]) -> None:
    """R7: refuse more actions than a turn has slots."""
    if len(actions) > board.SLOTS:
        raise IllegalMoveError(f"turn of {len(actions)} actions: expected {board.SLOTS} at most")
