"""Unfinished matches in the journal: how a transcript is written there and read again.

The head of an entry has the transcript without its events; each line is one event. The writer may
add keys of its own to the head.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from agon.errors import TranscriptError
from agon.match.transcript import event_json, format_transcript, parse_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.datastore.journal import JournalEntry
    from agon.games.game import Game, JsonObject
    from agon.match.transcript import Event, Transcript

SETUP = "transcript"
INTERRUPTED = "interrupted: the site was stopped"
"""The reason of a match that cannot be played on."""


def format_head(transcript: Transcript, **more: object) -> dict[str, object]:
    """The head of the entry for this match, with more keys."""
    setup: JsonObject = json.loads(format_transcript(replace(transcript, events=(), outcome=None)))
    setup.pop("events", None)
    return {SETUP: setup, **more}


def format_lines(game: Game, events: Sequence[Event]) -> list[str]:
    return [json.dumps(event_json(event, game.form)) for event in events]


def parse_entry(entry: JournalEntry) -> Transcript:
    """The match so far; TranscriptError if that cannot be read."""
    setup = entry.head.get(SETUP)
    if not isinstance(setup, dict):
        raise TranscriptError(f"journal of match {entry.key!r}: expected a transcript in its head")
    document = setup | {"events": [json.loads(line) for line in entry.lines]}
    return parse_transcript(json.dumps(document))
