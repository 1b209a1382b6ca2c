"""How `agon bot check` tells what it found, to people and to programs."""

from __future__ import annotations

import shlex
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, progress_console
from agon.cli.printable import printable
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.status import Status

    from agon.arbiter.check import Check
    from agon.arbiter.findings import CheckStep
    from agon.games.game import Game, Json
    from agon.match.transcript import Transcript

LINES_SHOWN = 12  # of what a bot exchanged, and of its standard error


def watched(examined: Check) -> Iterator[CheckStep]:
    """The steps; on a terminal, while one is done, its title and the turn are shown."""
    console = progress_console()
    if not console.is_terminal:
        yield from examined.run()
        return
    shown: list[Status] = []
    title = ""

    def on_step(number: str, text: str) -> None:
        nonlocal title
        title = f"{number:>4}  {text}"
        shown.append(console.status(title))
        shown[-1].start()

    def on_turn(turn: int) -> None:
        if shown and turn:
            shown[-1].update(f"{title} [dim]turn {turn}[/]")

    examined.on_turn = on_turn
    try:
        for step in examined.run(on_step):
            shown.pop().stop()
            yield step
    finally:
        for status in shown:
            status.stop()


def print_step(console: Console, step: CheckStep, saved: str | None = None) -> None:
    """One step for people: a line, and what there is to know if it failed."""
    from rich.text import Text

    from agon.arbiter.findings import StepResult

    signs = {
        StepResult.OK: (" ✓ ", "green"),
        StepResult.UNSEEN: (" ? ", "yellow"),
        StepResult.FAILED: (" ✗ ", "bold red"),
        StepResult.LEFT_OUT: (" - ", "yellow"),
    }
    if step.finding.verdict not in signs:
        return
    is_failed = step.finding.verdict is StepResult.FAILED
    line = Text.assemble(
        signs[step.finding.verdict],
        (f"{step.number:>4}  ", "dim"),
        f"{step.title:<40}",
        (printable(step.finding.saw), "red" if is_failed else "dim"),
    )
    console.print(line, soft_wrap=True)
    if is_failed:
        print_details(console, step, saved)


def print_details(console: Console, step: CheckStep, saved: str | None) -> None:
    """What to do, the position, the last lines, and the end of the standard error."""
    from rich.text import Text

    def block(heading: str, lines: list[str]) -> None:
        console.print(Text(f"         {heading}", "bold"), soft_wrap=True)
        for line in lines:
            console.print(Text(f"           {printable(line)}"), soft_wrap=True)

    if step.finding.advice:
        width = max(40, min(console.width, 100) - 11)
        block("what to do:", textwrap.wrap(step.finding.advice, width))
    if step.finding.transcript is not None:
        block("the position:", [position_command(step.finding.transcript, saved)])
    if step.wire:
        shown = list(step.wire[-LINES_SHOWN:])
        block("the last lines, > to the bot and < from it:", shown)
    if step.stderr.strip():
        block("the end of its standard error:", step.stderr.splitlines()[-LINES_SHOWN:])


def position_command(transcript: Transcript, saved: str | None) -> str:
    """The command that draws the last position of a match."""
    from agon.arbiter.findings import show_command
    from agon.match.transcript import played_positions

    if saved is not None:
        turn = len(played_positions(transcript)) - 1
        return f"agon replay {shlex.quote(saved)} --turn {turn}"
    again = "check again with --save match.json, then `agon replay match.json`"
    return show_command(transcript) or again


def save_failure(file: str, step: CheckStep) -> None:
    """Write the match in which a step failed, with the lines exchanged."""
    from agon.match.transcript import save_transcript

    transcript = step.finding.transcript
    if transcript is None:
        return
    place = next(n for n, player in enumerate(transcript.players) if "command" in player)
    wire: list[Json] = [[] for _ in transcript.players]
    wire[place] = list(step.wire)
    try:
        save_transcript(Path(file), replace(transcript, extra=transcript.extra | {"wire": wire}))
    except OSError as error:
        raise SettingError(f"--save {file!r}: cannot be written: {error.strerror}") from None


def print_summary(console: Console, steps: list[CheckStep]) -> None:
    from agon.arbiter.findings import StepResult

    def count(verdict: StepResult) -> int:
        return sum(step.finding.verdict is verdict for step in steps)

    failed = [step.number for step in steps if step.finding.verdict is StepResult.FAILED]
    if failed:
        after, before = count(StepResult.NOT_TRIED), count(StepResult.LEFT_OUT)
        rest = f"; {after} steps after it were not tried" if after else ""
        rest += f"; {before} steps before it were left out" if before else ""
        console.print(f"[bold red]failed at step {' and '.join(failed)}[/]{rest}")
        return
    unseen = count(StepResult.UNSEEN)
    plural = "" if unseen == 1 else "s"
    rest = f"; {unseen} situation{plural} did not come up" if unseen else ""
    console.print(f"[bold green]all {len(steps) - unseen} steps went well[/]{rest}")


def match_text(transcript: Transcript | None) -> str | None:
    """A match in the game's own text format."""
    from agon.match.transcript import played_positions

    if transcript is None:
        return None
    return transcript.game.format_match(played_positions(transcript))


def check_json(
    game: Game, text: str, is_well: bool, steps: list[CheckStep]
) -> dict[str, JsonValue]:
    return {
        "bot": text,
        "game": game.name,
        "ok": is_well,
        "steps": [
            {
                "number": step.number,
                "title": step.title,
                "verdict": step.finding.verdict.value,
                "saw": step.finding.saw,
                "advice": step.finding.advice,
                "match": match_text(step.finding.transcript),
                "wire": list(step.wire),
                "stderr": step.stderr,
            }
            for step in steps
        ],
    }
