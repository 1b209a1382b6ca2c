"""The messages of the protocol, one JSON object a line: read, checked and written, without I/O.

What a client says wrong is a `ProtocolError` with the text for its error message; an action that
cannot be understood is an `Action` like any other, which carries its complaint (R7).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError
from agon.games.skyport import board
from agon.games.skyport import move as acts
from agon.games.skyport.move import DIRECTIONS, WEAPONS, Action, Loadout
from agon.games.skyport.notation import KINDS, SPELLINGS
from agon.games.skyport.refusal import format_place
from agon.strict_json import TooDeepError, load_json, spell

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from agon.games.game import Json, JsonObject
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Deed, Robot

REVISION = 1
LONGEST_QUOTE = 40
NAME = re.compile(r"[A-Za-z0-9_+-]{1,16}", re.ASCII)
PLACE = re.compile(r"\s*(-?)([0-9]+)\s*,\s*(-?)([0-9]+)\s*", re.ASCII)
CONNECTED: JsonObject = {"message": "connect", "status": True}
END_TURN: JsonObject = {"message": "endturn"}


def quote(value: Any) -> str:
    """What was given, cut to a length that fits into an error."""
    text = spell(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def format_message(message: JsonObject) -> str:
    """A message as its line."""
    return json.dumps(message)


def error(text: str) -> JsonObject:
    """The message about something that was refused."""
    return {"error": text}


# --- what clients say ---------------------------------------------------------------------------


def parse_message(line: str) -> dict[str, Any]:
    """An object with a message key."""
    try:
        message = load_json(line)
    except ValueError as error:
        why = error if isinstance(error, TooDeepError) else "not JSON"
        raise ProtocolError(f"{json.dumps(line[:LONGEST_QUOTE])}: {why}") from None
    if not isinstance(message, dict):
        raise ProtocolError(f"{quote(message)}: expected a JSON object")
    if not isinstance(message.get("message"), str):
        raise ProtocolError(f"{quote(message)}: expected a key message with a text")
    return message


def parse_place(text: Any) -> Place | None:
    """Coordinates such as `3, 2` or `3,-2`; None if the text is none. Huge ones are drawn nearer.

    >>> parse_place("3,-2"), parse_place("0, 099999999"), parse_place("3")
    ((3, -2), (0, 99999), None)
    """
    found = PLACE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    j, k = (int(digits.lstrip("0")[:5] or 0) for digits in (found[2], found[4]))
    return (-j if found[1] else j), (-k if found[3] else k)


def parse_handshake(message: dict[str, Any], taken: Collection[str] = ()) -> str:
    """The name that a client connects with."""
    revision, name = message.get("revision"), message.get("name")
    if isinstance(revision, bool) or revision not in (REVISION, str(REVISION)):
        raise ProtocolError(f"revision {quote(revision)}: expected {REVISION}")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        expected = "1 to 16 letters, digits, -, _ or +"
        raise ProtocolError(f"name {quote(name)}: expected {expected}")
    if name in taken:
        raise ProtocolError(f"name {quote(name)}: it is taken")
    return name


def parse_loadout(message: dict[str, Any]) -> Loadout:
    """R5: the two weapons."""
    chosen = []
    for key in ("primary-weapon", "secondary-weapon"):
        weapon = message.get(key)
        if weapon not in WEAPONS:
            raise ProtocolError(f"{key} {quote(weapon)}: expected {', '.join(WEAPONS)}")
        chosen.append(WEAPONS.index(weapon))
    if chosen[0] == chosen[1]:
        raise ProtocolError(f"{quote(WEAPONS[chosen[0]])}: expected two different weapons")
    return Loadout(*chosen)


def parse_action(message: dict[str, Any]) -> Action:
    """An action; one that is not understood says why."""
    try:
        return _parse_action(message)
    except ProtocolError as complaint:
        return acts.not_understood(str(complaint))


def _parse_action(message: dict[str, Any]) -> Action:
    kind = message.get("type")
    if kind in ("mine", "pass"):
        return acts.MINE if kind == "mine" else acts.PASS
    if kind in ("move", "laser"):
        direction = _direction(kind, message.get("direction"))
        return acts.move(direction) if kind == "move" else acts.laser(direction)
    if kind == "upgrade":
        weapon = message.get("weapon")
        if weapon not in WEAPONS:
            raise ProtocolError(f"upgrade: weapon {quote(weapon)}: expected {', '.join(WEAPONS)}")
        return acts.upgrade(WEAPONS.index(weapon))
    if kind == "mortar":
        target = parse_place(message.get("coordinates"))
        if target is None:
            given = quote(message.get("coordinates"))
            raise ProtocolError(f'mortar: coordinates {given}: expected such as "3,2"')
        return acts.mortar(*target)
    if kind == "droid":
        steps = message.get("sequence")
        if not isinstance(steps, list):
            raise ProtocolError(f"droid: sequence {quote(steps)}: expected a list of directions")
        return acts.droid([_direction("droid", step) for step in steps])
    raise ProtocolError(f"type {quote(kind)}: expected {', '.join(KINDS[1:])}")


def _direction(kind: str, name: Any) -> int:
    if not isinstance(name, str) or name not in SPELLINGS:
        raise ProtocolError(f"{kind}: direction {quote(name)}: expected {', '.join(DIRECTIONS)}")
    return SPELLINGS[name]


# --- what they are told -------------------------------------------------------------------------


def handshake(name: str) -> JsonObject:
    """What a client says first; `parse_handshake` gives the name back."""
    return {"message": "connect", "revision": REVISION, "name": name}


def loadout_message(loadout: Loadout) -> JsonObject:
    """A loadout as a client sends it; `parse_loadout` gives it back."""
    weapons = {"primary-weapon": loadout.primary, "secondary-weapon": loadout.secondary}
    return {"message": "loadout", **{key: WEAPONS[weapon] for key, weapon in weapons.items()}}


def gamestate(position: SkyportPosition, names: Sequence[str]) -> JsonObject:
    """All that every player is told of a position; the seat to act comes first."""
    places = {seat: format_place(position.robots[seat].place) for seat in position.order}
    entities: list[Json] = [
        {"name": names[seat], "position": place, "kind": "player"} for seat, place in places.items()
    ]
    return {
        "message": "gamestate",
        "gamestate": position.turn,
        "turn": position.turn,
        "map": {
            "j-length": position.map.side,
            "k-length": position.map.side,
            "data": [list(row) for row in position.rows],
        },
        "entities": entities,
        "players": [_player(position.robots[seat], names[seat]) for seat in position.order],
    }


def _player(robot: Robot, name: str) -> JsonObject:
    """Before turn 1 all weapons look like the usual ones.

    Keys come as the first server wrote them: clients of the competition cut the text apart.
    """
    primary, secondary = robot.weapons or (board.LASER_WEAPON, board.MORTAR_WEAPON)
    return {
        "primary-weapon": _weapon(primary, robot.levels),
        "position": format_place(robot.place),
        "name": name,
        "score": robot.score,
        "alive": robot.health > 0,
        "health": robot.health,
        "secondary-weapon": _weapon(secondary, robot.levels),
    }


def _weapon(weapon: int, levels: Sequence[int]) -> JsonObject:
    return {"level": max(1, levels[weapon]), "name": WEAPONS[weapon]}


def action_message(action: Action) -> JsonObject:
    """An action as a client sends it; `parse_action` gives it back."""
    told: JsonObject = {"message": "action", "type": KINDS[action.kind]}
    if action.kind in (board.MOVE, board.LASER):
        told["direction"] = DIRECTIONS[action.steps[0]]
    elif action.kind == board.UPGRADE:
        told["weapon"] = WEAPONS[action.weapon]
    elif action.kind == board.MORTAR:
        told["coordinates"] = f"{action.offset[0]},{action.offset[1]}"
    elif action.kind == board.DROID:
        told["sequence"] = [DIRECTIONS[step] for step in action.steps]
    return told


def deed_message(deed: Deed, name: str) -> JsonObject:
    """An action that was carried out, told to all players, with the one who did it."""
    action, told = deed.action, action_message(deed.action)
    if action.kind == board.DROID:
        told["sequence"] = [DIRECTIONS[step] for step in action.steps[: deed.walked]]
    if action.kind == board.LASER and deed.origin and deed.target:
        told |= {"start": format_place(deed.origin), "stop": format_place(deed.target)}
    return told | {"from": name}


def end_of_turn(deeds: Sequence[Deed], name: str, own: bool) -> list[JsonObject]:
    """What a client is told after a turn: everything that was done, and its own errors."""
    done = [deed_message(deed, name) for deed in deeds if deed.refusal is None]
    refused = [error(deed.refusal) for deed in deeds if deed.refusal is not None]
    return [END_TURN, *done, *(refused if own else [])]
