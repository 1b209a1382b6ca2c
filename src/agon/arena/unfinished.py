"""Unfinished matches on their way into the journal and out of it, as transcripts.

The head of an entry has the transcript without its events; each line is one event. What else the
head says is for whoever wrote it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.errors import TranscriptError
from agon.games.game import Outcome
from agon.match.result import MatchResult
from agon.match.transcript import (
    Fault,
    FaultEvent,
    TurnEvent,
    event_json,
    format_transcript,
    parse_transcript,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.journal import Entry
    from agon.games.game import Game, JsonObject
    from agon.match.transcript import Event, Transcript

SETUP = "transcript"
INTERRUPTED = "interrupted: the site was stopped"
"""The reason of a match that nobody can play on."""


def format_head(transcript: Transcript, **more: object) -> dict[str, object]:
    """The head of the entry for this match, and what else it is to hold."""
    setup: JsonObject = json.loads(format_transcript(replace(transcript, events=(), outcome=None)))
    setup.pop("events", None)
    return {SETUP: setup, **more}


def format_lines(game: Game, events: Sequence[Event]) -> list[str]:
    """The lines for these events."""
    return [json.dumps(event_json(event, game.form)) for event in events]


def parse_entry(entry: Entry) -> Transcript:
    """The match so far; TranscriptError if that cannot be read."""
    setup = entry.head.get(SETUP)
    if not isinstance(setup, dict):
        raise TranscriptError(f"journal of match {entry.key!r}: expected a transcript in its head")
    document = setup | {"events": [json.loads(line) for line in entry.lines]}
    return parse_transcript(json.dumps(document))


def interrupted_match(transcript: Transcript) -> MatchResult:
    """A match that was cut off, with the turns that were played: void, and without an outcome."""
    seats = len(transcript.players)
    faults: list[Fault | None] = [None] * seats
    thought: list[list[int]] = [[0] for _ in range(seats)]
    for event in transcript.events:
        if isinstance(event, FaultEvent):
            faults[event.player] = event.fault
        elif isinstance(event, TurnEvent):
            for seat, taken in event.ns.items():
                thought[seat].append(taken)
    return MatchResult(
        replace(transcript, outcome=None),
        Outcome((0,) * seats, INTERRUPTED),
        tuple(faults),
        tuple(map(sum, thought)),
        tuple(map(max, thought)),
        is_void=True,
    )
