"""The match record: how a match was set up and what happened, never states.

One JSON family for all games, after the Atlantis transcript: readable and writable by hand, not
redundant, unfinished matches allowed. Replaying it gives every position.

    {"format": "Hive transcript", "version": "1.0", "rules": 1,
     "options": {"variant": "Base", ...}, "seed": 0,
     "players": [{"name": "search"}, {"name": "greedy"}],
     "events": [
       {"type": "turn", "turns": {"0": "wS1"}, "ns": {"0": 512000}},
       {"type": "fault", "player": 1, "fault": "timeout", "detail": "no turn within 1.00 s"}
     ],
     "outcome": {"scores": [2, 0], "reason": "black: timeout"}}

`turns` has one entry per seat that owed a turn. `ns` (how long each thought), `outcome` and the
dates `begin` and `end` may be missing. Other keys are kept as they are.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import AgonError, SettingError, TranscriptError
from agon.games.game import Json, JsonObject, Outcome
from agon.games.registry import all_games

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from agon.games.game import Game, Options, Position

VERSION = "1.0"
LARGEST_FILE = 256 << 20
GZIP_MAGIC = b"\x1f\x8b"


class Fault(StrEnum):
    """How a seat can fail; a seat without a fault ended by the rules."""

    TIMEOUT = "timeout"
    CRASH = "crash"
    ILLEGAL = "illegal turn"
    PROTOCOL = "protocol error"
    RESOURCE = "resource limit"
    NO_START = "could not start"


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The turns of all seats that owed one, as text, and how long each thought."""

    turns: Mapping[int, str]
    ns: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A seat failed."""

    player: int
    fault: Fault
    detail: str = ""


@dataclass(frozen=True, slots=True)
class OtherEvent:
    """Chat and whatever else somebody wrote down; it has no effect on the match."""

    data: JsonObject


Event: TypeAlias = TurnEvent | FaultEvent | OtherEvent


@dataclass(frozen=True, slots=True)
class Transcript:
    """One match."""

    game: Game
    options: Options
    seed: int
    players: tuple[JsonObject, ...]
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None
    extra: JsonObject = field(default_factory=dict)
    """Top-level keys that have no meaning here: `user`, `begin`, `end`, and anybody's own."""


def replay(transcript: Transcript) -> Iterator[tuple[Event | None, Position[Any]]]:
    """Every event with the position after it; first None with the start.

    Raises TranscriptError where an event does not fit the rules.
    """
    position = transcript.game.start(transcript.options, transcript.seed)
    yield None, position
    for number, event in enumerate(transcript.events):
        place = f"events[{number}]"
        if isinstance(event, TurnEvent):
            position = _play(position, event, place)
        elif isinstance(event, FaultEvent) and not 0 <= event.player < position.seats:
            raise TranscriptError(f"{place}.player {event.player}: there is no such seat")
        yield event, position


def _play(position: Position[Any], event: TurnEvent, place: str) -> Position[Any]:
    if tuple(sorted(event.turns)) != position.to_act:
        owing = ", ".join(map(str, position.to_act)) or "nobody: the match is over"
        raise TranscriptError(f"{place}.turns of seats {sorted(event.turns)}: to act is {owing}")
    turns = {}
    for seat, text in event.turns.items():
        try:
            turns[seat] = position.parse_turn(seat, text)
        except AgonError as error:
            raise TranscriptError(f"{place}.turns.{seat}: {error}") from None
    return position.play(turns)


def final_outcome(transcript: Transcript) -> Outcome | None:
    """How the match ended by its events alone, or None if it did not; replays all of it."""
    outcome: Outcome | None = None
    for event, position in replay(transcript):
        if outcome is not None and not isinstance(event, OtherEvent):
            raise TranscriptError(f"an event after the end of the match: {event}")
        if isinstance(event, FaultEvent):
            outcome = transcript.game.outcome_of_fault(position, event.player, event.fault)
        elif position.outcome is not None:
            outcome = position.outcome
    return outcome


def verify(transcript: Transcript) -> Outcome | None:
    """Replay, check every turn and the stored outcome. Raises TranscriptError at a difference."""
    found = final_outcome(transcript)
    if transcript.outcome is not None and transcript.outcome != found:
        raise TranscriptError(
            f"outcome {_outcome_json(transcript.outcome)}: the events give {_outcome_json(found)}"
        )
    return found


def format_transcript(transcript: Transcript) -> str:
    """The transcript as JSON, an event a line."""
    head: JsonObject = {
        "format": f"{transcript.game.title} transcript",
        "version": VERSION,
        "rules": transcript.game.rules_version,
        "options": asdict(transcript.options),
        "seed": transcript.seed,
        **transcript.extra,
        "players": list(transcript.players),
    }
    events = ",\n  ".join(json.dumps(_event_json(event)) for event in transcript.events)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    lines.append(f'"events": [\n  {events}\n ]' if events else '"events": []')
    if transcript.outcome is not None:
        lines.append(f'"outcome": {json.dumps(_outcome_json(transcript.outcome))}')
    return "{" + ",\n ".join(lines) + "}\n"


def _event_json(event: Event) -> JsonObject:
    if isinstance(event, OtherEvent):
        return event.data
    if isinstance(event, FaultEvent):
        fault: JsonObject = {"type": "fault", "player": event.player, "fault": event.fault.value}
        return fault | ({"detail": event.detail} if event.detail else {})
    turn: JsonObject = {"type": "turn", "turns": {str(s): t for s, t in event.turns.items()}}
    return turn | ({"ns": {str(s): n for s, n in event.ns.items()}} if event.ns else {})


def _outcome_json(outcome: Outcome | None) -> Json:
    if outcome is None:
        return None
    return {"scores": list(outcome.scores), "reason": outcome.reason}


def parse_transcript(text: str) -> Transcript:
    """Read a transcript. Errors name the place; rules are checked by `verify`, not here."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise TranscriptError("nested too deeply") from None
    top = _expect(data, dict, "the document", "an object")
    game = _game_of(top)
    version = top.pop("version", None)
    if version != VERSION:
        raise TranscriptError(f"version {version!r}: expected {VERSION!r}")
    rules = top.pop("rules", game.rules_version)
    if rules != game.rules_version:
        raise TranscriptError(f"rules {rules!r}: this program plays by {game.rules_version}")
    players = _expect(top.pop("players", None), list, "players", "a list")
    events = _expect(top.pop("events", []), list, "events", "a list")
    return Transcript(
        game,
        _options_of(game, top.pop("options", {})),
        _expect(top.pop("seed", 0), int, "seed", "a whole number"),
        tuple(_player(player, f"players[{i}]") for i, player in enumerate(players)),
        tuple(_event(event, f"events[{i}]") for i, event in enumerate(events)),
        _outcome_of(top.pop("outcome", None)),
        top,
    )


def _expect(value: Any, kind: type, place: str, expected: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TranscriptError(f"{place} {json.dumps(value)[:60]}: expected {expected}")
    return value


def _game_of(top: dict[str, Any]) -> Game:
    name = top.pop("format", None)
    for game in all_games():
        if name == f"{game.title} transcript":
            return game
    expected = ", ".join(f"{game.title} transcript" for game in all_games())
    raise TranscriptError(f"format {name!r}: expected {expected}")


def _options_of(game: Game, data: Any) -> Options:
    given = _expect(data, dict, "options", "an object")
    texts = {}
    for name, value in given.items():
        if not isinstance(value, bool | int | str):
            raise TranscriptError(f"options.{name} {json.dumps(value)[:60]}: expected one value")
        texts[name] = ("off", "on")[value] if isinstance(value, bool) else str(value)
    try:
        return game.parse_options(texts)
    except SettingError as error:
        raise TranscriptError(f"options: {error}") from None


def _player(data: Any, place: str) -> JsonObject:
    player: JsonObject = _expect(data, dict, place, "an object")
    _expect(player.get("name", ""), str, f"{place}.name", "a text")
    return player


def _outcome_of(data: Any) -> Outcome | None:
    if data is None:
        return None
    found = _expect(data, dict, "outcome", "an object")
    scores = _expect(found.get("scores"), list, "outcome.scores", "a list")
    for i, score in enumerate(scores):
        _expect(score, int, f"outcome.scores[{i}]", "a whole number")
    return Outcome(tuple(scores), _expect(found.get("reason"), str, "outcome.reason", "a text"))


def _event(data: Any, place: str) -> Event:
    event = _expect(data, dict, place, "an object")
    kind = event.get("type")
    if kind == "turn":
        turns = _by_seat(event.get("turns"), f"{place}.turns", str, "a text")
        return TurnEvent(turns, _by_seat(event.get("ns", {}), f"{place}.ns", int, "nanoseconds"))
    if kind == "fault":
        player = _expect(event.get("player"), int, f"{place}.player", "a seat")
        if event.get("fault") not in list(Fault):
            expected = ", ".join(Fault)
            raise TranscriptError(f"{place}.fault {event.get('fault')!r}: expected {expected}")
        detail = _expect(event.get("detail", ""), str, f"{place}.detail", "a text")
        return FaultEvent(player, Fault(event["fault"]), detail)
    _expect(kind, str, f"{place}.type", "a text")
    return OtherEvent(event)


def _by_seat(data: Any, place: str, kind: type, expected: str) -> dict[int, Any]:
    found = _expect(data, dict, place, "an object")
    for seat, value in found.items():
        if seat not in ("0", "1", "2", "3", "4", "5", "6", "7"):
            raise TranscriptError(f"{place} {seat!r}: expected a seat from 0 to 7")
        _expect(value, kind, f"{place}.{seat}", expected)
    return {int(seat): value for seat, value in found.items()}


def load_transcript(path: Path) -> Transcript:
    """Read a transcript from a file, gzipped or not."""
    try:
        data = path.read_bytes()
        if data.startswith(GZIP_MAGIC):
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise TranscriptError(f"{path}: {error}") from None
    if len(data) > LARGEST_FILE:
        raise TranscriptError(f"{path}: larger than {LARGEST_FILE >> 20} MiB")
    try:
        return parse_transcript(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{path}: byte {error.start} is not UTF-8") from None
    except TranscriptError as error:
        raise TranscriptError(f"{path}: {error}") from None


def save_transcript(path: Path, transcript: Transcript) -> None:
    """Write a transcript to a file; gzipped if its name ends in .gz."""
    data = format_transcript(transcript).encode("utf-8")
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def without_times(transcript: Transcript) -> Transcript:
    """The same match without what differs from run to run."""
    events = (
        replace(event, ns={}) if isinstance(event, TurnEvent) else event
        for event in transcript.events
    )
    return replace(transcript, events=tuple(events), extra={})
