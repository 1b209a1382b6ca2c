"""How the check of a bot is told to its author, line by line, as plain text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from agon.arbiter.findings import StepResult, show_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.arbiter.build import Build
    from agon.arbiter.findings import CheckStep
    from agon.arbiter.limits import Limits
    from agon.match.transcript import Transcript

LINES_SHOWN = 20  # of what a bot exchanged, of its standard error, and of what a build said
LONGEST_LINE = 300
LONGEST_COMMAND = 1000
WIDTH = 88
SIGNS = {
    StepResult.OK: "ok",
    StepResult.UNSEEN: "did not come up",
    StepResult.FAILED: "FAILED",
    StepResult.NOT_TRIED: "not tried",
    StepResult.LEFT_OUT: "left out",
}
UNITS = ((10**9, "s"), (10**6, "ms"), (1, "ns"))
TOO_LONG = "check it on your own machine with --save match.json, then `agon replay match.json`"


def format_begin(number: str, title: str) -> str:
    """The beginning of a step's line; `format_end` ends it."""
    return f"{number:>4}  {title} … "


def format_end(step: CheckStep) -> str:
    """What came of the step; if it failed, all that there is to know."""
    finding = step.finding
    lines = [f"{SIGNS[finding.verdict]}: {plain(finding.saw)}"]
    if finding.verdict is StepResult.FAILED:
        lines += _block("what to do:", textwrap.wrap(finding.advice, WIDTH))
        lines += _position(finding.transcript)
        lines += _block("the last lines, > to the bot and < from it:", _last(step.wire))
        lines += _block("the end of its standard error:", _last(step.stderr.splitlines()))
    return "\n".join(lines) + "\n"


def format_build(build: Build) -> str:
    """What a build that went well had to say, and where it is told."""
    said = build.output.strip().splitlines()
    if build.failure is not None or not said:
        return ""  # a failure is told by the step
    return "\n" + "\n".join(_block("the build said:", _last(said))) + "\n      "


def has_failed(steps: Iterable[CheckStep]) -> bool:
    """Whether one of these steps failed: what follows is not tried, but for the last one."""
    return any(step.finding.verdict is StepResult.FAILED for step in steps)


def check_command(limits: Limits, game: str = "") -> str:
    """What to type for the same check on one's own machine.

    >>> from agon.arbiter.limits import Limits
    >>> check_command(Limits(200_000_000, 2_000_000_000), "hive")
    'agon bot check FOLDER --game hive --time 200ms --bank 2s'
    """
    words = ["agon bot check FOLDER"]
    if game:
        words.append(f"--game {game}")
    if limits.turn_ns is not None:
        words.append(f"--time {_duration(limits.turn_ns)}")
    if limits.bank_ns:
        words.append(f"--bank {_duration(limits.bank_ns)}")
    return " ".join(words)


def _duration(time_ns: int) -> str:
    """A time as commands take it."""
    unit_ns, unit = next(one for one in UNITS if time_ns % one[0] == 0)
    return f"{time_ns // unit_ns}{unit}"


def format_verdict(steps: Sequence[CheckStep], command: str) -> str:
    """The last lines; the command does the same check elsewhere."""

    def count(verdict: StepResult) -> int:
        return sum(step.finding.verdict is verdict for step in steps)

    failed = [step.number for step in steps if step.finding.verdict is StepResult.FAILED]
    if failed:
        after, before = count(StepResult.NOT_TRIED), count(StepResult.LEFT_OUT)
        rest = f"; {after} steps after it were not tried" if after else ""
        rest += f"; {before} steps before it were left out" if before else ""
        return (
            f"\nFailed at step {' and '.join(failed)}{rest}. Fix it and upload the next version."
            f"\nThe same check on your own machine:\n    {command}\n"
        )
    unseen = count(StepResult.UNSEEN)
    rest = f"; {unseen} situations did not come up" if unseen else ""
    return f"\nAll {len(steps) - unseen} steps went well{rest}. The bot plays on the ladder now.\n"


def plain(text: str, longest: int = LONGEST_LINE) -> str:
    """One line that cannot play tricks with a terminal or a page.

    >>> plain("a\\tb\\x1b[31mred")
    'a b\\\\x1b[31mred'
    """
    shown = "".join(
        c if c.isprintable() else " " if c in "\t\n" else c.encode("unicode_escape").decode()
        for c in text
    )
    return shown if len(shown) <= longest else shown[:longest] + " …"


def _position(transcript: Transcript | None) -> list[str]:
    """How to see the position in which a match ended, if there was one."""
    if transcript is None:
        return []
    command = show_command(transcript) or TOO_LONG
    return ["      the position:", f"        {plain(command, LONGEST_COMMAND)}"]


def _block(heading: str, lines: Iterable[str]) -> list[str]:
    shown = [f"        {plain(line)}" for line in lines]
    return [f"      {heading}", *shown] if shown else []


def _last(lines: Sequence[str]) -> Sequence[str]:
    return lines[-LINES_SHOWN:]
