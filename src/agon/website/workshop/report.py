"""How the check of a bot is told to its author, line by line, as plain text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from agon.arbiter.findings import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.arbiter.build import Build
    from agon.arbiter.findings import Step

LINES_SHOWN = 20  # of what a bot exchanged, of its standard error, and of what a build said
LONGEST_LINE = 300
WIDTH = 88
SIGNS = {
    Verdict.OK: "ok",
    Verdict.UNSEEN: "did not come up",
    Verdict.FAILED: "FAILED",
    Verdict.NOT_TRIED: "not tried",
}


def format_begin(number: str, title: str) -> str:
    """The beginning of a step's line; `format_end` ends it."""
    return f"{number:>4}  {title} … "


def format_end(step: Step) -> str:
    """What came of the step; if it failed, all that there is to know."""
    finding = step.finding
    lines = [f"{SIGNS[finding.verdict]}: {plain(finding.saw)}"]
    if finding.verdict is Verdict.FAILED:
        lines += _block("what to do:", textwrap.wrap(finding.advice, WIDTH))
        lines += _block("the last lines, > to the bot and < from it:", _last(step.wire))
        lines += _block("the end of its standard error:", _last(step.stderr.splitlines()))
    return "\n".join(lines) + "\n"


def format_build(build: Build) -> str:
    """What a build that went well had to say, and where it is told."""
    said = build.output.strip().splitlines()
    if build.failure is not None or not said:
        return ""  # a failure is told by the step
    return "\n" + "\n".join(_block("the build said:", _last(said))) + "\n      "


def has_failed(steps: Iterable[Step]) -> bool:
    """Whether one of these steps failed: what follows is not tried, but for the last one."""
    return any(step.finding.verdict is Verdict.FAILED for step in steps)


def format_verdict(steps: Sequence[Step]) -> str:
    """The last lines."""
    failed = [step.number for step in steps if step.finding.verdict is Verdict.FAILED]
    if failed:
        left = sum(step.finding.verdict is Verdict.NOT_TRIED for step in steps)
        rest = f"; {left} steps after it were not tried" if left else ""
        return (
            f"\nFailed at step {' and '.join(failed)}{rest}. Mend it and upload the next version;"
            " `agon bot check` says the same on your own machine.\n"
        )
    unseen = sum(step.finding.verdict is Verdict.UNSEEN for step in steps)
    rest = f"; {unseen} situations did not come up" if unseen else ""
    return f"\nAll {len(steps) - unseen} steps went well{rest}. The bot plays on the ladder now.\n"


def plain(text: str) -> str:
    """One line that cannot play tricks with a terminal or a page.

    >>> plain("a\\tb\\x1b[31mred")
    'a b\\\\x1b[31mred'
    """
    shown = "".join(
        c if c.isprintable() else " " if c in "\t\n" else c.encode("unicode_escape").decode()
        for c in text
    )
    return shown if len(shown) <= LONGEST_LINE else shown[:LONGEST_LINE] + " …"


def _block(heading: str, lines: Iterable[str]) -> list[str]:
    shown = [f"        {plain(line)}" for line in lines]
    return [f"      {heading}", *shown] if shown else []


def _last(lines: Sequence[str]) -> Sequence[str]:
    return lines[-LINES_SHOWN:]
