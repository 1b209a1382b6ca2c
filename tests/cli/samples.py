"""Transcripts for the tests of commands that read them, and an application with those commands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from agon.cli.app import AgonGroup
from agon.cli.bot import bot
from agon.cli.replay import replay
from agon.cli.verify import verify
from agon.games.game import Outcome
from agon.games.hive.game import GAME
from agon.match.transcript import Event, Fault, FaultEvent, Transcript, TurnEvent, save_transcript

if TYPE_CHECKING:
    from pathlib import Path

OPENING = ("wS1", "bG1*|wS1", "wQ1|*wS1", "bQ1*|bG1")
GAME_STRING = "Base;InProgress;White[3];wS1;bG1 wS1-;wQ -wS1;bQ bG1-"

app = typer.Typer(cls=AgonGroup, rich_markup_mode="rich")
app.command()(replay)
app.command()(verify)
app.add_typer(bot, name="bot")


def transcript_of(*turns: str, **changes: Any) -> Transcript:
    """A match with these turns, each of which took a millisecond more than the last."""
    events: tuple[Event, ...] = tuple(
        TurnEvent({n % 2: turn}, {n % 2: (n + 1) * 10**6}) for n, turn in enumerate(turns)
    )
    players: tuple[dict[str, Any], ...] = ({"name": "ada"}, {"name": "bob"})
    return replace(Transcript(GAME, GAME.options(), 0, players, events), **changes)


def forfeit(transcript: Transcript, player: int, fault: Fault, detail: str) -> Transcript:
    """The match, ended by that fault."""
    scores = (0, 2) if player == 0 else (2, 0)
    outcome = Outcome(scores, f"{('white', 'black')[player]}: {fault}")
    events = (*transcript.events, FaultEvent(player, fault, detail))
    return replace(transcript, events=events, outcome=outcome)


def saved(folder: Path, transcript: Transcript, name: str = "match.json") -> str:
    """The path of a file with the transcript in it."""
    path = folder / name
    save_transcript(path, transcript)
    return str(path)
