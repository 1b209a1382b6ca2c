"""The text that players exchange, which is the transcript, in one line.

Here it goes from and to positions; `agon.match.transcript` has all the rest of a document in mind.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError, NotationError, SettingError, TranscriptError
from agon.games.atlantis.game import GAME
from agon.games.atlantis.position import AtlantisPosition
from agon.strict_json import expect, parse_json, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.games.game import JsonObject, Position

VERSION = "1.0"


def format_head(start: AtlantisPosition) -> JsonObject:
    """The document of a match before its first event."""
    colours = start.ground.colours or [""] * start.seats
    players: list[JsonObject] = [{"color": said} if said else {} for said in colours]
    setup = GAME.form.format_setup(GAME, start.options, 0, players)
    return {"format": f"{GAME.title} transcript", "version": VERSION, **setup, "events": []}


def format_match(given: Sequence[Position[Any]]) -> str:
    """The transcript, given the position after each turn; seats may have failed before or since."""
    positions = [AtlantisPosition.of(position) for position in given]
    events: list[Any] = _faults(positions[0], positions[0].failed)
    for before, after in pairwise(positions):
        events += _faults(after, after.out.keys() - after.failed - before.out.keys())
        text = before.format_turn(before.seat, after.last_turn or ())
        events.append({"type": "turn", **GAME.form.format_turns({before.seat: text})})
        events += _faults(after, after.failed)
    return json.dumps({**format_head(positions[0]), "events": events})


def _faults(position: AtlantisPosition, seats: Iterable[int]) -> list[Any]:
    return [
        {"type": "fault", "player": seat, "fault": position.out[seat]} for seat in sorted(seats)
    ]


def parse_match(text: str) -> list[AtlantisPosition]:
    """The start and the position after every turn; NotationError and IllegalMoveError."""
    try:
        top = expect(parse_json(text), dict, "the document", "an object")
        GAME.form.amend(GAME, top)
        for key, expected in (("format", f"{GAME.title} transcript"), ("version", VERSION)):
            if top.get(key) != expected:
                raise TranscriptError(f"{key} {quote(top.get(key))}: expected {quote(expected)}")
        options, _, players = GAME.form.parse_setup(GAME, top)
        start = GAME.with_players(GAME.start(options, 0, len(players)), players)
        positions = [AtlantisPosition.of(start)]
        events = expect(top.get("events", []), list, "events", "a list")
        for number, item in enumerate(events):
            place = f"events[{number}]"
            event = expect(item, dict, place, "an object")
            if event.get("type") == "turn":
                positions.append(_play(positions[-1], event, place))
            elif event.get("type") == "fault":
                positions[-1] = _drop(positions[-1], event, place)
    except (TranscriptError, SettingError) as error:
        raise NotationError(f"transcript: {error}") from None
    return positions


def _play(position: AtlantisPosition, event: dict[str, Any], place: str) -> AtlantisPosition:
    turns = GAME.form.parse_turns(event, place, position.turn, position.seats)
    if position.outcome:
        raise IllegalMoveError(f"{place}: the match is over: {position.outcome.reason}")
    try:
        return position.play_turn(position.parse_turn(position.seat, turns[position.seat]))
    except IllegalMoveError as error:
        raise IllegalMoveError(f"{place}: {error}") from None


def _drop(position: AtlantisPosition, event: dict[str, Any], place: str) -> AtlantisPosition:
    seat = expect(event.get("player"), int, f"{place}.player", "a seat")
    if not 0 <= seat < position.seats or seat in position.out:
        raise TranscriptError(f"{place}.player {seat}: expected a seat that is not out yet")
    return position.drop({seat: expect(event.get("fault"), str, f"{place}.fault", "a text")})
