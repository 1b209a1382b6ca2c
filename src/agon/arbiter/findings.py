"""What a check of a bot says: what was seen at each step, and what to do about it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from agon.match.transcript import Fault, Transcript, played_positions

LONGEST_TEXT = 400
"""The most characters of a match that may stand in a command."""

ADVICE = MappingProxyType(
    {
        Fault.CRASH: "The program ended by itself. What it wrote to its standard error says why.",
        Fault.TIMEOUT: "No line came. Write the turn with a line end and flush the output after it:"
        " to a pipe, a program's output is held back otherwise. Do not wait for more input than the"
        " protocol announces.",
        Fault.ILLEGAL: "Compare the board that the bot keeps with the arena's, drawn by the command"
        " below; the message says what forbids the turn.",
        Fault.PROTOCOL: "Write one line for each turn and nothing else to the standard output; what"
        " is for you goes to the standard error.",
        Fault.RESOURCE: "It needed more than the arena gives: see the limit in the message, and"
        " docs/sandbox.md for all of them.",
        Fault.NO_START: "The run command must work in the bot's folder: try it there by hand. The"
        " sandbox has nothing but that folder and the programs of the system; whether that is it,"
        " --unsafe-host tells.",
    }
)


class StepResult(StrEnum):
    """What came of a step."""

    OK = "ok"
    FAILED = "failed"
    UNSEEN = "did not come up"
    NOT_TRIED = "not tried"
    """A step before it failed."""
    LEFT_OUT = "left out"
    """A step after it will fail, and this one would take long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a step saw."""

    saw: str
    verdict: StepResult = StepResult.OK
    advice: str = ""
    transcript: Transcript | None = None
    """The match in which it failed."""
    fault: Fault | None = None
    """How it failed there."""

    @property
    def is_well(self) -> bool:
        """Whether there is nothing to fix."""
        return self.verdict in (StepResult.OK, StepResult.UNSEEN)


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One step of a check, done."""

    number: str
    title: str
    finding: Finding
    wire: tuple[str, ...] = ()
    """If it failed: the lines of its last match, `> ` to the bot and `< ` from it."""
    stderr: str = ""


def show_command(transcript: Transcript) -> str | None:
    """The command that draws the last position of a match; None: it would be too long."""
    text = transcript.game.format_match(played_positions(transcript))
    if len(text) > LONGEST_TEXT or not text.isprintable():
        return None
    return f"agon show {transcript.game.name} {shlex.quote(text)}"
