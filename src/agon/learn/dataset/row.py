"""A match as a row of the table of matches, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import SettingError, TranscriptError
from agon.games.game import Outcome
from agon.games.registry import find_game
from agon.games.transcript_form import parse_json_options
from agon.learn.dataset.record import MatchRecord, SeatRecord
from agon.match.public_part import public_part
from agon.match.transcript import (
    Fault,
    FaultEvent,
    LimitEvent,
    OtherEvent,
    Transcript,
    TurnEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.game import Game, JsonObject, Options
    from agon.match.transcript import Event

Row: TypeAlias = dict[str, Any]
MOST = 2**63 - 1
TURN, FAULT, LIMIT, NOTE = "turn", "fault", "limit", "note"


def row_of(record: MatchRecord, number: int) -> Row:
    """The row of that number; without what only the authors of its bots may see.

    Raises TranscriptError if the match has something that a row cannot hold.
    """
    if record.transcript.states:
        raise SettingError("a log has states and no turns: it cannot be part of a dataset")
    transcript = public_part(record.transcript)
    row = {
        "match": number,
        "stored_id": record.stored_id,
        "game": transcript.game.name,
        "rules_version": transcript.game.rules_version,
        "options": options_text(transcript.options),
        "seed": transcript.seed,
        "started": record.started_ns,
        "ended": record.ended_ns,
        "turns": sum(isinstance(event, TurnEvent) for event in transcript.events),
        "reason": None if transcript.outcome is None else transcript.outcome.reason,
        "players": _players(transcript, record.seats),
        "events": [
            {"event": place, **entry}
            for place, event in enumerate(transcript.events)
            for entry in _entries(event)
        ],
        "extra": _json(transcript.extra),
    }
    _check(row, "match")
    return row


def options_text(options: Options) -> str:
    return json.dumps(asdict(options), sort_keys=True)


def _players(transcript: Transcript, known: Sequence[SeatRecord]) -> list[Row]:
    seats = len(transcript.players)
    nothing: tuple[None, ...] = (None,) * seats
    outcome = transcript.outcome
    scores = nothing if outcome is None else outcome.scores
    points = nothing if outcome is None or not outcome.points else outcome.points
    for name, found in (("seats", known or nothing), ("scores", scores), ("points", points)):
        if len(found) != seats:
            raise TranscriptError(f"{len(found)} {name}: expected one for each of {seats} players")
    ranks = nothing if outcome is None else outcome.ranks
    faults = _faults(transcript)
    rows = []
    for seat, player in enumerate(transcript.players):
        told = {key: player[key] for key in ("name", "kind") if isinstance(player.get(key), str)}
        rest = {key: value for key, value in player.items() if key not in told}
        rows.append(
            {
                "seat": seat,
                **told,
                **asdict(known[seat] if known else SeatRecord()),
                "score": scores[seat],
                "points": points[seat],
                "rank": ranks[seat],
                "fault": faults.get(seat),
                "extra": _json(rest),
            }
        )
    return rows


def _faults(transcript: Transcript) -> dict[int, str]:
    found = {}
    for number, event in enumerate(transcript.events):
        if isinstance(event, FaultEvent):
            if not 0 <= event.player < len(transcript.players):
                raise TranscriptError(f"events[{number}].player {event.player}: no such seat")
            found[event.player] = event.fault.value
    return found


def _entries(event: Event) -> Iterator[Row]:
    if isinstance(event, OtherEvent):
        yield {"kind": NOTE, "extra": json.dumps(event.data)}
        return
    extra = _json(event.extra)
    if isinstance(event, LimitEvent):
        yield {"kind": LIMIT, "extra": extra}
    elif isinstance(event, FaultEvent):
        fault = {"kind": FAULT, "seat": event.player, "text": event.fault.value}
        yield {**fault, "detail": event.detail or None, "extra": extra}
    else:
        if not event.turns:
            yield {"kind": TURN, "extra": extra}
        for seat, text in event.turns.items():
            yield {
                "kind": TURN,
                "seat": seat,
                "text": text,
                "ns": event.ns.get(seat),
                "extra": extra,
            }
            extra = None


def _json(data: JsonObject) -> str | None:
    return json.dumps(data) if data else None


def _check(value: Any, place: str) -> None:
    """Refuse what a column cannot hold: longer numbers, and text that is not UTF-8."""
    if isinstance(value, dict):
        for key, part in value.items():
            _check(part, f"{place}.{key}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            _check(part, f"{place}[{number}]")
    elif isinstance(value, int) and not -MOST - 1 <= value <= MOST:
        raise TranscriptError(
            f"{place}: a number of {value.bit_length()} bits; expected 63 at most"
        )
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise TranscriptError(f"{place} {value[:40]!a}: it is not UTF-8") from None


def record_of(row: Row) -> MatchRecord:
    """The match of a row. Raises TranscriptError if this program has other rules."""
    game = find_game(row["game"])
    if row["rules_version"] != game.rules_version:
        raise TranscriptError(
            f"rules_version {row['rules_version']}: this program plays {game.title} by"
            f" {game.rules_version}"
        )
    players = row["players"]
    transcript = Transcript(
        game,
        _options(game, row["options"]),
        row["seed"],
        tuple(_player(player) for player in players),
        tuple(_event(list(e)) for _, e in groupby(row["events"], lambda entry: entry["event"])),
        _outcome(row["reason"], players),
        _object(row["extra"]),
    )
    seats = tuple(SeatRecord(one["version"], one["mu"], one["sigma"]) for one in players)
    known = seats if any(seat != SeatRecord() for seat in seats) else ()
    return MatchRecord(transcript, known, row["started"], row["ended"], row["stored_id"])


@lru_cache(64)
def _options(game: Game, text: str) -> Options:
    return parse_json_options(game, json.loads(text))


def _player(row: Row) -> JsonObject:
    told = {key: row[key] for key in ("name", "kind") if row[key] is not None}
    return told | _object(row["extra"])


def _outcome(reason: str | None, players: Sequence[Row]) -> Outcome | None:
    if reason is None:
        return None
    points = tuple(player["points"] for player in players)
    has_points = bool(points) and points[0] is not None
    return Outcome(
        tuple(player["score"] for player in players), reason, points if has_points else ()
    )


def _event(entries: Sequence[Row]) -> Event:
    first = entries[0]
    extra = _object(first["extra"])
    if first["kind"] == NOTE:
        return OtherEvent(extra)
    if first["kind"] == LIMIT:
        return LimitEvent(extra)
    if first["kind"] == FAULT:
        return FaultEvent(first["seat"], Fault(first["text"]), first["detail"] or "", extra)
    turns = {one["seat"]: one["text"] for one in entries if one["seat"] is not None}
    ns = {one["seat"]: one["ns"] for one in entries if one["ns"] is not None}
    return TurnEvent(turns, ns, extra)


def _object(text: str | None) -> JsonObject:
    found: JsonObject = {} if text is None else json.loads(text)
    return found
