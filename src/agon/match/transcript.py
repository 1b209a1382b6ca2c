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

`turns` has one entry per seat that owed a turn; faults that stand together happened at once; an
event `{"type": "limit"}` ends a match without a result that has reached its turn limit; if
it was stopped for another reason, its key `reason` has that.
A game whose scores are ranks has `points` beside them in its outcome: what it counted.
`ns` (how long each thought), `outcome` and the dates `begin` and `end` may be missing. Other keys
are kept as they are. What a reader could take in two ways is refused: a key that stands twice, a
number that JSON does not have, an option of another type.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import AgonError, NotationError, SettingError, TranscriptError
from agon.games.game import Json, JsonObject, Outcome
from agon.games.match_log import limit_notes
from agon.games.registry import all_games
from agon.games.transcript_form import parse_by_seat
from agon.strict_json import expect, parse_json, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agon.games.game import Game, Options, Position
    from agon.games.transcript_form import TranscriptForm

VERSION = "1.0"
TURN_LIMIT = "turn limit"
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
    RESIGNED = "resigned"  # people do; no bot is to blame


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """The turns of all seats that owed one, as text, and how long each thought."""

    turns: Mapping[int, str]
    ns: Mapping[int, int] = field(default_factory=dict)
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A seat failed."""

    player: int
    fault: Fault
    detail: str = ""
    extra: JsonObject = field(default_factory=dict)
    said: str = ""
    """The last line of its standard error, which is its author's."""

    @property
    def whole(self) -> str:
        """All that is known, for the bot's author."""
        return f"{self.detail}: {self.said}" if self.said else self.detail


@dataclass(frozen=True, slots=True)
class LimitEvent:
    """The match reached its turn limit without a result, and was stopped."""

    extra: JsonObject = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """Why it was stopped: the turn limit, unless another reason was written down."""
        return str(self.extra.get("reason", TURN_LIMIT))


@dataclass(frozen=True, slots=True)
class OtherEvent:
    """Chat and other notes; they have no effect on the match."""

    data: JsonObject


Event: TypeAlias = TurnEvent | FaultEvent | LimitEvent | OtherEvent


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
    """Top-level keys that have no meaning here: `user`, `begin`, `end`, and unknown ones."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was odd about the text that it was read from, for its reader."""
    states: tuple[Position[Any], ...] = field(default=(), compare=False)
    """Of a log, which has states in place of turns: all positions. Its turns are empty."""


def replay(transcript: Transcript) -> Iterator[tuple[Event | None, Position[Any]]]:
    """Every event with the position after it; first None with the start.

    Faults that stand together happened at once; after a limit the position has an outcome. Raises
    TranscriptError where an event does not fit the rules.
    """
    if transcript.states:
        yield from zip((None, *transcript.events), transcript.states, strict=True)
        return
    players = len(transcript.players)
    try:
        start = transcript.game.start(transcript.options, transcript.seed, players)
        position = transcript.game.with_players(start, transcript.players)
    except SettingError as error:
        raise TranscriptError(f"players: {error}") from None
    yield None, position
    yield from replay_on(position, transcript.events)


def replay_on(
    position: Position[Any], new: Sequence[Event], earlier: Sequence[Event] = ()
) -> Iterator[tuple[Event, Position[Any]]]:
    """Every new event with the position after it; `earlier` ones have led to this position."""
    numbered = enumerate(new, len(earlier))
    for kind, group in groupby(numbered, key=lambda item: type(item[1])):
        events = list(group)
        if kind is not OtherEvent and position.outcome is not None:
            reason = position.outcome.reason
            raise TranscriptError(f"events[{events[0][0]}]: the match is over: {reason}")
        if kind is FaultEvent:
            position = _drop(position, events)
        for number, event in events:
            if isinstance(event, TurnEvent):
                position = _play(position, event, f"events[{number}]")
            elif isinstance(event, LimitEvent):
                position = position.stop(outcome_of_limit(position.seats, (*earlier, *new)))
            yield event, position


def played_positions(transcript: Transcript) -> list[Position[Any]]:
    """The start and the position after every turn."""
    return [
        position
        for event, position in replay(transcript)
        if event is None or isinstance(event, TurnEvent)
    ]


def _play(position: Position[Any], event: TurnEvent, place: str) -> Position[Any]:
    if tuple(sorted(event.turns)) != position.to_act or not event.turns:
        owing = ", ".join(map(str, position.to_act)) or "none: the match is over"
        raise TranscriptError(f"{place}.turns of seats {sorted(event.turns)}: to act is {owing}")
    turns = {}
    for seat, text in event.turns.items():
        try:
            turns[seat] = position.parse_turn(seat, text)
        except AgonError as error:
            raise TranscriptError(f"{place}.turns.{seat}: {error}") from None
    try:
        return position.play(turns)
    except AgonError as error:
        raise TranscriptError(f"{place}.turns: {error}") from None


def _drop(position: Position[Any], events: Iterable[tuple[int, Event]]) -> Position[Any]:
    faults: dict[int, str] = {}
    for number, event in events:
        assert isinstance(event, FaultEvent)  # noqa: S101  what the group is made of
        if not 0 <= event.player < position.seats:
            raise TranscriptError(f"events[{number}].player {event.player}: there is no such seat")
        if event.player in faults:
            raise TranscriptError(f"events[{number}].player {event.player}: it is out already")
        faults[event.player] = event.fault.value
    return position.drop(faults)


def final_outcome(transcript: Transcript) -> Outcome | None:
    """How the match ended by its events alone, or None if it did not; replays all of it."""
    outcome: Outcome | None = None
    for _, position in replay(transcript):
        outcome = position.outcome
    return outcome


def outcome_of_limit(seats: int, events: Iterable[Event]) -> Outcome:
    """A match that was stopped has no winner; who failed in it is behind the others."""
    known = tuple(events)
    failed = {event.player for event in known if isinstance(event, FaultEvent)}
    reasons = [event.reason for event in known if isinstance(event, LimitEvent)]
    reason = reasons[-1] if reasons else TURN_LIMIT
    return Outcome(tuple(-1 if seat in failed else 0 for seat in range(seats)), reason)


def verify(transcript: Transcript) -> Outcome | None:
    """Replay, check every turn and the stored outcome. Raises TranscriptError at a difference."""
    found = final_outcome(transcript)
    outcome = transcript.outcome
    if outcome is not None and (
        outcome != found or (found is not None and outcome.points not in ((), found.points))
    ):
        stored = json.dumps(_outcome_json(outcome))
        given = "none: the match goes on" if found is None else json.dumps(_outcome_json(found))
        raise TranscriptError(f"outcome {stored}: the events give {given}")
    return found


def format_transcript(transcript: Transcript) -> str:
    """The transcript as JSON, an event a line."""
    if transcript.states:
        raise SettingError("a log has states and no turns: it cannot be written as a transcript")
    form = transcript.game.form
    head: JsonObject = {
        "format": f"{transcript.game.title} transcript",
        "version": VERSION,
        **transcript.extra,
        **form.format_setup(
            transcript.game, transcript.options, transcript.seed, transcript.players
        ),
    }
    events = ",\n  ".join(json.dumps(event_json(event, form)) for event in transcript.events)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    if events:
        lines.append(f'"events": [\n  {events}\n ]')
    elif transcript.players:
        lines.append('"events": []')
    if transcript.outcome is not None:
        lines.append(f'"outcome": {json.dumps(_outcome_json(transcript.outcome))}')
    return "{" + ",\n ".join(lines) + "}\n"


def event_json(event: Event, form: TranscriptForm) -> JsonObject:
    """An event as it stands in transcripts of that form."""
    if isinstance(event, OtherEvent):
        return event.data
    if isinstance(event, LimitEvent):
        return {"type": "limit", **event.extra}
    if isinstance(event, FaultEvent):
        fault: JsonObject = {"type": "fault", "player": event.player, "fault": event.fault.value}
        told = {"detail": event.detail, "stderr": event.said}
        return fault | {key: text for key, text in told.items() if text} | event.extra
    turn: JsonObject = {"type": "turn", **form.format_turns(event.turns)}
    ns: JsonObject = {"ns": {str(s): n for s, n in event.ns.items()}} if event.ns else {}
    return turn | ns | event.extra


def _outcome_json(outcome: Outcome | None) -> Json:
    if outcome is None:
        return None
    told: JsonObject = {"scores": list(outcome.scores), "reason": outcome.reason}
    return told | ({"points": list(outcome.points)} if outcome.points else {})


def parse_transcript(text: str, games: Iterable[Game] | None = None) -> Transcript:
    """Read a transcript of one of these games, or of any that there is; or a log in its own text.

    Errors name the place; rules are checked by `verify`, not here.
    """
    known = all_games() if games is None else tuple(games)
    if not text.lstrip().startswith("{") and (log := _parse_log(text, known)) is not None:
        return log
    top = expect(parse_json(text), dict, "the document", "an object")
    notes = [note for game in known for note in game.form.amend(game, top)]
    game = _game_of(top, known)
    version = top.pop("version", None)
    if version != VERSION:
        raise TranscriptError(f"version {quote(version)}: expected {VERSION!r}")
    has_events = "events" in top
    options, seed, players = game.form.parse_setup(game, top)
    events = expect(top.pop("events", []), list, "events", "a list")
    if has_events and not events and not players:
        top["events"] = []  # a board without a match may have it, or not
    outcome = _outcome_of(top.pop("outcome", None))
    parsed = _parse_events(events, game.form, len(players))
    return Transcript(game, options, seed, players, parsed, outcome, top, limit_notes(notes))


def _parse_log(text: str, games: tuple[Game, ...]) -> Transcript | None:
    """A match that was written down as states, if the text is one."""
    for game in games:
        try:
            log = game.parse_log(text)
        except NotationError as error:
            raise TranscriptError(str(error)) from None
        if log is not None:
            players: tuple[JsonObject, ...] = tuple({"name": name} for name in log.names)
            turns = tuple(TurnEvent({}) for _ in log.positions[1:])
            start = log.positions[0]
            return Transcript(
                game, start.options, 0, players, turns, notes=log.notes, states=log.positions
            )
    return None


def _game_of(top: dict[str, Any], games: tuple[Game, ...]) -> Game:
    name = top.pop("format", None)
    for game in games:
        if name == f"{game.title} transcript":
            return game
    expected = ", ".join(f"{game.title} transcript" for game in games)
    raise TranscriptError(f"format {quote(name)}: expected {expected}")


def _outcome_of(data: Any) -> Outcome | None:
    if data is None:
        return None
    found = expect(data, dict, "outcome", "an object")
    if other := found.keys() - {"scores", "reason", "points"}:
        raise TranscriptError(f"outcome.{min(other)}: expected scores, reason and points alone")
    scores, points = found.get("scores"), found.get("points", [])
    for name, numbers in (("scores", scores), ("points", points)):
        for i, number in enumerate(expect(numbers, list, f"outcome.{name}", "a list")):
            expect(number, int, f"outcome.{name}[{i}]", "a whole number")
    reason = expect(found.get("reason"), str, "outcome.reason", "a text")
    return Outcome(tuple(scores), reason, tuple(points))


def _parse_events(data: list[Any], form: TranscriptForm, seats: int) -> tuple[Event, ...]:
    events: list[Event] = []
    turns = 0
    for number, item in enumerate(data):
        place = f"events[{number}]"
        event = expect(item, dict, place, "an object")
        kind = expect(event.get("type"), str, f"{place}.type", "a text")
        if kind == "turn":
            texts = form.parse_turns(event, place, turns, seats)
            events.append(_turn_event(event, texts, place))
            turns += 1
        elif kind == "fault":
            events.append(_fault_event(event, place))
        elif kind == "limit":
            expect(event.get("reason", TURN_LIMIT), str, f"{place}.reason", "a text")
            del event["type"]
            events.append(LimitEvent(event))
        else:
            events.append(OtherEvent(event))
    return tuple(events)


def _turn_event(event: dict[str, Any], turns: Mapping[int, str], place: str) -> TurnEvent:
    ns = parse_by_seat(event.pop("ns", {}), f"{place}.ns", int, "nanoseconds")
    for seat, taken in ns.items():
        if seat not in turns:
            raise TranscriptError(f"{place}.ns.{seat}: that seat has no turn here")
        if taken < 0:
            raise TranscriptError(f"{place}.ns.{seat} {taken}: expected nanoseconds")
    del event["type"]
    return TurnEvent(turns, ns, event)


def _fault_event(event: dict[str, Any], place: str) -> FaultEvent:
    player = expect(event.pop("player", None), int, f"{place}.player", "a seat")
    fault = event.pop("fault", None)
    if fault not in list(Fault):
        raise TranscriptError(f"{place}.fault {quote(fault)}: expected {', '.join(Fault)}")
    detail = expect(event.pop("detail", ""), str, f"{place}.detail", "a text")
    said = expect(event.pop("stderr", ""), str, f"{place}.stderr", "a text")
    del event["type"]
    return FaultEvent(player, Fault(fault), detail, event, said)


def load_transcript(path: Path | str, games: Iterable[Game] | None = None) -> Transcript:
    """Read a transcript from a file, gzipped or not."""
    text = read_text(Path(path))
    try:
        return parse_transcript(text, games)
    except TranscriptError as error:
        raise TranscriptError(f"{path}: {error}") from None


def read_text(path: Path, largest: int = LARGEST_FILE) -> str:
    """The text of a file, gzipped or not; no more than the given number of bytes is read."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
        if data.startswith(GZIP_MAGIC):
            with gzip.open(io.BytesIO(data)) as unpacked:
                data = unpacked.read(largest + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise TranscriptError(f"{path}: {reason}") from None
    if len(data) > largest:
        raise TranscriptError(f"{path}: larger than {largest >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{path}: byte {error.start} is not UTF-8") from None


def save_transcript(path: Path | str, transcript: Transcript) -> None:
    """Write a transcript to a file; gzipped if its name ends in .gz."""
    data, file = format_transcript(transcript).encode("utf-8"), Path(path)
    file.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)
