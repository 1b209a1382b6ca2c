"""Turns as text: `loadout laser mortar`, `move right-up; mine; pass`; the README describes it."""

from __future__ import annotations

import json
import re

from agon.errors import NotationError
from agon.games.skyport import board
from agon.games.skyport.move import (
    DIRECTIONS,
    LONGEST_COMPLAINT,
    MINE,
    PASS,
    WEAPONS,
    Action,
    Loadout,
    Turn,
    check_length,
    droid,
    laser,
    mortar,
    move,
    not_understood,
    upgrade,
)
from agon.strict_json import load_json

KINDS = ("?", "move", "mine", "upgrade", "pass", *WEAPONS)
SPELLINGS = {name: number for number, name in enumerate(DIRECTIONS)} | {
    re.sub("-(.)", lambda found: found[1].upper(), name): number
    for number, name in enumerate(DIRECTIONS)
}
"""The number of a direction by its name, in both spellings: `right-up` and `rightUp`."""
NOTHING = "nothing"
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
