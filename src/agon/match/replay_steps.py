"""A match as it is told to spectators: step by step, each with a position and what happened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agon.errors import TranscriptError
from agon.match.transcript import (
    TURN_LIMIT,
    FaultEvent,
    LimitEvent,
    OtherEvent,
    TurnEvent,
    replay,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.game import Position
    from agon.match.transcript import Event, Transcript

LONGEST_NOTE = 400


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was noted after a turn: a fault, a warning, a line of chat, something else."""

    kind: str
    text: str
    seat: int | None = None


@dataclass(slots=True)
class ReplayStep:
    """One picture of a match: after a turn, or, with a stage, on the way to it."""

    turn: int
    position: Position[Any]
    event: TurnEvent | None = None
    """What was played; None at the start and in stages before the last."""
    stage: str = ""
    notes: list[Note] = field(default_factory=list)


def tell(transcript: Transcript, *, in_stages: bool) -> Iterator[ReplayStep]:
    """All steps of a match; where an event does not fit the rules, the last one says so."""
    if not in_stages:
        yield from _turns(transcript)
        return
    before: ReplayStep | None = None
    for step in _turns(transcript):
        yield from (step,) if before is None else tell_turn(before, step)
        before = step


def tell_turn(before: ReplayStep, step: ReplayStep) -> Iterator[ReplayStep]:
    """A turn in stages, given the steps before and after it; the last is the step after it."""
    if step.event is None:
        raise ValueError("the start of a match: expected the step after a turn")
    if not step.event.turns:  # of a log: what was ordered is not known
        yield step
        return
    *stages, (caption, _) = _stages(before.position, step.event)
    for name, moment in stages:
        yield ReplayStep(step.turn, moment, stage=name)
    yield replace(step, stage=caption)


def _turns(transcript: Transcript) -> Iterator[ReplayStep]:
    """The start, and a step for each turn with all that follows until the next one."""
    step: ReplayStep | None = None
    try:
        for event, position in replay(transcript):
            if event is None:
                step = ReplayStep(0, position)
            elif step is not None and isinstance(event, TurnEvent):
                yield step
                step = ReplayStep(step.turn + 1, position, event, notes=_warnings(event))
            elif step is not None:
                step.position = position
                step.notes.append(_note(event))
    except TranscriptError as error:
        if step is None:
            raise
        step.notes.append(Note("damage", f"From here on the transcript is damaged: {error}"))
    if step is not None:
        yield step


def _stages(position: Position[Any], event: TurnEvent) -> list[tuple[str, Position[Any]]]:
    turns = {seat: position.parse_turn(seat, text) for seat, text in event.turns.items()}
    return list(position.stages(turns))


def _warnings(event: TurnEvent) -> list[Note]:
    by_seat = event.extra.get("warnings")
    if not isinstance(by_seat, dict):
        return []
    notes = []
    for seat in event.turns:
        texts = by_seat.get(str(seat))
        notes += [Note("warning", _short(str(text)), seat) for text in _as_list(texts)]
    return notes


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _note(event: Event) -> Note:
    match event:
        case FaultEvent(player=player, fault=fault, detail=detail):
            return Note("fault", _short(f"{fault}: {detail}" if detail else fault.value), player)
        case LimitEvent(reason=reason):
            is_limit = reason == TURN_LIMIT
            played = "all turns of the match are played: it is stopped here"
            return Note("limit", played if is_limit else "the match is stopped here")
        case OtherEvent(data=data) if data.get("type") == "chat":
            who = data.get("user", data.get("player", ""))
            return Note("chat", _short(f"{who}: {data.get('message', data.get('text', ''))}"))
        case OtherEvent(data=data):
            rest = ", ".join(f"{key} {value}" for key, value in data.items() if key != "type")
            return Note(
                "note", _short(f"{data.get('type')}: {rest}" if rest else f"{data['type']}")
            )
    raise TypeError(f"{event!r}: expected an event that is no turn")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_NOTE else text[: LONGEST_NOTE - 1] + "…"


def player_names(transcript: Transcript) -> list[str]:
    """Who plays, by seat; a seat without a name is called by its number."""
    names = [player.get("name") for player in transcript.players]
    return [str(name) if name else f"seat {seat}" for seat, name in enumerate(names)]
