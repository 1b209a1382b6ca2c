"""A transcript played through: all its positions, with turns, faults and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agon.cli.console import compile_notice, format_seconds
from agon.cli.printable import printable
from agon.errors import TranscriptError

if TYPE_CHECKING:
    from rich.text import Text

    from agon.games.game import Position
    from agon.match.transcript import FaultEvent, Transcript, TurnEvent


@dataclass(slots=True)
class Frame:
    """A position of a match, the turns that led to it, and what was noted there."""

    number: int
    position: Position[Any]
    turn: TurnEvent | None = None
    faults: list[FaultEvent] = field(default_factory=list)
    stage: str = ""
    """What has just happened within the turn, if the match is shown in stages."""


@dataclass(slots=True)
class Recording:
    """All frames of a transcript; those before the damage, if it has one."""

    transcript: Transcript
    frames: list[Frame]
    damage: TranscriptError | None
    both_notations: bool = False
    """Whether captions have the notation of bots beside that of players, where they differ."""

    def name(self, seat: int) -> str:
        players = self.transcript.players
        name = players[seat].get("name") if seat < len(players) else None
        return printable(str(name)) if name else f"seat {seat}"

    @property
    def names(self) -> list[str]:
        return [self.name(seat) for seat in range(len(self.transcript.players))]

    def check_whole(self) -> None:
        """Refuse to go on with a transcript that is damaged somewhere."""
        if self.damage is not None:
            raise self.damage


def record(transcript: Transcript) -> Recording:
    """Play a transcript through, up to its end or to the first turn that breaks the rules."""
    from agon.match.transcript import FaultEvent, LimitEvent, TurnEvent
    from agon.match.transcript import replay as replay_events

    frames: list[Frame] = []
    with compile_notice(transcript.game.title):
        try:
            for event, position in replay_events(transcript):
                if event is None or isinstance(event, TurnEvent):
                    frames.append(Frame(len(frames), position, event))
                elif isinstance(event, FaultEvent):
                    frames[-1].faults.append(event)
                    frames[-1].position = position
                elif isinstance(event, LimitEvent):
                    frames[-1].position = position
        except TranscriptError as error:
            if not frames:
                raise
            return Recording(transcript, frames, error)
    return Recording(transcript, frames, None)


def in_stages(recording: Recording) -> Recording:
    """The same match with the stages of every turn, in games whose turns have some."""
    frames = recording.frames[:1]
    for before, frame in pairwise(recording.frames):
        texts = frame.turn.turns if frame.turn else {}
        if not texts:  # of a log: what was ordered is not known
            frames.append(frame)
            continue
        turns = {s: before.position.parse_turn(s, text) for s, text in texts.items()}
        *stages, (last, _) = before.position.stages(turns)
        frames += [Frame(frame.number, p, frame.turn, [], stage) for stage, p in stages]
        frames.append(replace(frame, stage=last))
    return replace(recording, frames=frames)


def told_faults(recording: Recording) -> list[Text]:
    """Who failed, how and where: what to look at first."""
    from rich.text import Text

    return [
        Text(f"{told_fault(recording, fault)}  (after turn {frame.number})", "bold red")
        for frame in recording.frames
        for fault in frame.faults
    ]


def told_fault(recording: Recording, fault: FaultEvent) -> str:
    detail = f": {fault.whole}" if fault.whole else ""
    return f"{recording.name(fault.player)}: {fault.fault.value}{printable(detail)}"


def told_warnings(recording: Recording, frame: Frame) -> list[str]:
    """Whose turn was warned of what."""
    by_seat = frame.turn.extra.get("warnings") if frame.turn else None
    if not isinstance(by_seat, dict):
        return []
    return [
        f"{recording.name(int(seat))}: {printable(str(warning))}"
        for seat, warnings in by_seat.items()
        if seat.isdigit() and isinstance(warnings, list)
        for warning in warnings
    ]


def board(recording: Recording, frame: Frame, width: int) -> Text:
    return recording.transcript.game.terminal_board(frame.position, width, recording.names)


def caption(recording: Recording, frame: Frame) -> Text:
    """Which turn it is, who played what in how long, and who failed."""
    from rich.text import Text

    line = Text.assemble((f"turn {frame.number}", "bold"))
    if frame.stage:
        line.append(f"  {frame.stage}", "yellow")
    if frame.turn is None:
        names = " - ".join(recording.name(seat) for seat in range(frame.position.seats))
        title = recording.transcript.game.title
        line.append(f"  {title}: {names}" if names else f"  {title}")
        for note in recording.transcript.notes:
            line.append(f"\nnote: {printable(note)}", "yellow")
    for seat, played in frame.turn.turns.items() if frame.turn else ():
        line.append(f"  {recording.name(seat)}").append(f" (seat {seat}) ", "dim")
        shown = recording.transcript.game.common_notation(played)
        line.append(printable(shown), "bold cyan")
        if recording.both_notations and shown != played:
            line.append(f" {printable(played)}", "cyan")
        if frame.turn and seat in frame.turn.ns:
            line.append(f" {format_seconds(frame.turn.ns[seat])}", "dim")
    for warning in told_warnings(recording, frame):
        line.append(f"\n{warning}", "yellow")
    for fault in frame.faults:
        line.append(f"\n{told_fault(recording, fault)}", "bold red")
    return line
