"""A match as text: options, seats and seed as JSON in the first line, then a line for each turn.

    {"map": "auto", "map_text": "", "turns": 100, "order": "", ... "seats": 2, "seed": 7}
    loadout laser mortar | loadout droid laser
    move up; move up; mine
    nothing

The loadouts of all seats stand in one line. A match in which a seat failed (R19) is not told as
such: its turns are there, the reason for them is not.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.skyport.game import GAME
from agon.games.skyport.notation import format_turn
from agon.games.skyport.position import SkyportPosition
from agon.strict_json import load_json, not_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position

BETWEEN_SEATS = " | "
MOST_DIGITS = 20


def format_match(given: Sequence[Position[Any]]) -> str:
    positions = [SkyportPosition.of(position) for position in given]
    first = positions[0]
    head = asdict(first.options) | {"seats": first.seats, "seed": first.seed}
    lines = [json.dumps(head)]
    for position in positions[1:]:
        turns = position.last_turns
        lines.append(BETWEEN_SEATS.join(format_turn(turns[seat]) for seat in sorted(turns)))
    return "\n".join(lines)


def parse_match(text: str) -> list[SkyportPosition]:
    """All positions of a match; NotationError and IllegalMoveError name the line."""
    head, *lines = text.split("\n")
    positions = [_parse_head(head)]
    for number, line in enumerate(lines, 2):
        last = positions[-1]
        texts = [line] if last.turn else line.split(BETWEEN_SEATS)
        try:
            if not last.to_act:
                raise IllegalMoveError(f"turn {line[:60]!r}: the match is over")
            if len(texts) != len(last.to_act):
                raise NotationError(f"turns {line[:60]!r}: expected {len(last.to_act)} loadouts")
            pairs = zip(last.to_act, texts, strict=True)
            positions.append(last.play({seat: last.parse_turn(seat, t) for seat, t in pairs}))
        except (NotationError, IllegalMoveError) as error:
            raise type(error)(f"line {number} of the match: {error}") from None
    return positions


def _parse_head(line: str) -> SkyportPosition:
    expected = 'expected JSON such as {"map": "auto", "turns": 100, "seats": 2, "seed": 1}'
    try:
        head = load_json(line)
    except ValueError as error:
        raise NotationError(f"match {line[:60]!r}: {not_json(error)}; {expected}") from None
    if not isinstance(head, dict):
        raise NotationError(f"match {line[:60]!r}: {expected}")
    numbers = {name: head.pop(name, None) for name in ("seats", "seed")}
    if not all(type(n) is int and len(str(n)) <= MOST_DIGITS for n in numbers.values()):
        raise NotationError(f"match {line[:60]!r}: {expected}")
    defaults: dict[str, Any] = {f.name: f.default for f in fields(GAME.options)}
    for name, value in head.items():
        if name in defaults and type(value) is not type(defaults[name]):
            raise NotationError(f"match {line[:60]!r}: {name}: {expected}")
    try:
        options = GAME.parse_options({name: str(value) for name, value in head.items()})
        return GAME.start(options, numbers["seed"], numbers["seats"])
    except SettingError as error:
        raise NotationError(f"match {line[:60]!r}: {error}") from None
