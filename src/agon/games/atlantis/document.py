"""The board part of a transcript: segments and stacks, read with care and written as they were.

    "segments": ["B2", ["c4", "c5", "d5"]],
    "players": [{"name": "Ada", "stacks": {"B2": 1, "b2": 3}}, {"stacks": {"c5": -2, "d5": 0}}]

A list of coordinates is a segment. In capitals a coordinate stands for the standard segment around
it: a segment of the board, or so many stones on each of its fields, but for those that the same
player has on their own. Stones are positive on an open field and negative on a growing one; 0 is a
dead field that was the player's. A TranscriptError names the place of what is wrong.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, TranscriptError
from agon.games.atlantis.board import MAX_PLAYERS, MAX_STONES, TIERS
from agon.games.atlantis.boards import standard_segment
from agon.games.atlantis.geometry import Board, Coordinate
from agon.games.atlantis.notation import format_coordinate, parse_coordinate
from agon.games.transcript_form import parse_players
from agon.strict_json import expect, parse_json, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_FIELDS = TIERS[-1]


@dataclass(frozen=True, slots=True)
class BoardText:
    """A board, and the parts of the document that it was read from."""

    segments: list[Any]
    stacks: list[dict[str, Any]]
    """Of each player; none if the document is a starting board without players."""
    board: Board


def parse_board(text: str) -> Board:
    """The board of a document; without players if the document has none."""
    return parse_custom(text).board


def parse_custom(text: str) -> BoardText:
    """The board of a document, whatever else there is in it."""
    top = expect(parse_json(text), dict, "the document", "an object")
    return read_board(top.get("segments"), take_stacks(parse_players(top.get("players", []))))


def format_custom(custom: BoardText) -> str:
    """A document with the board and nothing else."""
    data: dict[str, Any] = {"segments": custom.segments}
    if custom.stacks:
        data["players"] = [{"stacks": stacks} for stacks in custom.stacks]
    return json.dumps(data)


def take_stacks(players: Sequence[dict[str, Any]]) -> list[Any]:
    """Take the stacks out of the players' objects."""
    for seat, player in enumerate(players):
        if "stacks" not in player:
            raise TranscriptError(f"players[{seat}] {quote(player)}: expected a key stacks")
    return [player.pop("stacks") for player in players]


def read_board(segments: Any, stacks: Sequence[Any]) -> BoardText:
    """A board from the values of a document."""
    found = read_segments(segments)
    if stacks and not 2 <= len(stacks) <= MAX_PLAYERS:
        raise TranscriptError(f"players: {len(stacks)}, expected 2 to {MAX_PLAYERS}")
    fields = {field for segment in found for field in segment}
    holders: dict[Coordinate, int] = {}
    read = []
    for seat, data in enumerate(stacks):
        own = read_stacks(data, f"players[{seat}].stacks", fields)
        for field, key in own.items():
            if field in holders:
                taken = f"players[{holders[field]}] holds {format_coordinate(field)} already"
                raise TranscriptError(f"players[{seat}].stacks.{key}: {taken}")
            holders[field] = seat
        read.append({field: data[key] for field, key in own.items()})
    return BoardText(segments, list(stacks), Board(found, tuple(read)))


def read_segments(data: Any) -> tuple[tuple[Coordinate, ...], ...]:
    """The fields of each segment."""
    expect(data, list, "segments", "a list of segments")
    seen: dict[Coordinate, int] = {}
    segments = []
    for number, item in enumerate(data):
        place = f"segments[{number}]"
        fields = read_segment(item, place)
        for field in fields:
            if field in seen:
                name = format_coordinate(field)
                raise TranscriptError(f"{place}: {name} is in segments[{seen[field]}] already")
            seen[field] = number
        segments.append(fields)
    if not 1 <= len(seen) <= MAX_FIELDS:
        raise TranscriptError(f"segments: {len(seen)} fields, expected 1 to {MAX_FIELDS}")
    return tuple(segments)


def read_segment(data: Any, place: str) -> tuple[Coordinate, ...]:
    """R3: a list of fields, or a coordinate in capitals for a standard segment."""
    if isinstance(data, str):
        centre, is_standard = read_coordinate(data, place)
        if not is_standard:
            raise TranscriptError(f'{place} {quote(data)}: expected a list, or capitals as in "B2"')
        return around(centre, f"{place} {quote(data)}")
    expect(data, list, place, "a list of fields")
    if not data:
        raise TranscriptError(f"{place}: expected at least one field")
    return tuple(read_field(name, f"{place}[{i}]") for i, name in enumerate(data))


def read_stacks(data: Any, place: str, fields: set[Coordinate]) -> dict[Coordinate, str]:
    """Which key of a player's stacks counts for each field that the player has."""
    expect(data, dict, place, "an object")
    single: dict[Coordinate, str] = {}
    standard: dict[Coordinate, str] = {}
    for key, stones in data.items():
        centre, is_standard = read_coordinate(key, place)
        here = f"{place}.{key}"
        if abs(expect(stones, int, here, "a whole number of stones")) > MAX_STONES:
            raise TranscriptError(f"{here} {stones}: expected at most {MAX_STONES} stones")
        if not is_standard:
            if centre not in fields:
                raise TranscriptError(f"{here}: there is no such field on the board")
            single[centre] = key
            continue
        for field in around(centre, here):
            name = format_coordinate(field)
            if field not in fields:
                raise TranscriptError(f"{here}: it reaches {name}, which is not on the board")
            if field in standard:
                raise TranscriptError(f"{here}: {standard[field]} reaches {name} as well")
            standard[field] = key
    return standard | single


def around(centre: Coordinate, place: str) -> tuple[Coordinate, ...]:
    """The standard segment around a field."""
    if min(centre) == 1:
        raise TranscriptError(f"{place}: it reaches beyond the letter a or the number 1")
    return standard_segment(centre)


def read_field(data: Any, place: str) -> Coordinate:
    field, is_standard = read_coordinate(expect(data, str, place, "a field"), place)
    if is_standard:
        raise TranscriptError(f"{place} {quote(data)}: expected a field, in small letters")
    return field


def read_coordinate(text: str, place: str) -> tuple[Coordinate, bool]:
    """A coordinate, and whether it is in capitals."""
    letters = text.rstrip("0123456789")
    is_upper = letters.isascii() and letters.isupper()
    if letters.isascii() and letters.isalpha() and not (is_upper or letters.islower()):
        raise TranscriptError(
            f"{place} {quote(text)}: expected small letters or capitals, not both"
        )
    try:
        return parse_coordinate(text.lower() if is_upper else text), is_upper
    except NotationError as error:
        raise TranscriptError(f"{place}: {error}") from None


def format_segments(board: Board) -> list[Any]:
    """The segments of a board, each a list of its fields."""
    return [[format_coordinate(field) for field in segment] for segment in board.segments]


def format_stacks(stacks: Mapping[Coordinate, int]) -> dict[str, Any]:
    """A player's stones, field by field."""
    return {format_coordinate(field): stones for field, stones in stacks.items()}


def check_date(value: Any, place: str) -> None:
    """Refuse what is no ISO 8601 date and time with a zone."""
    expected = 'a date and time with a zone, such as "2025-11-02T20:15:00+01:00"'
    text = expect(value, str, place, expected)
    try:
        is_zoned = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        is_zoned = False
    if not is_zoned:
        raise TranscriptError(f"{place} {quote(value)}: expected {expected}")
