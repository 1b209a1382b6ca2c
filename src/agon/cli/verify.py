"""`agon verify`: replay transcripts, and compare every turn and the outcome with the rules."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import Data, JsonFlag
from agon.cli.console import (
    JsonValue,
    compile_notice,
    print_json,
    progress_bar,
    progress_console,
    result_console,
)
from agon.cli.printable import printable
from agon.cli.stored import MatchId, open_stored, stored_transcript
from agon.cli.verify_ratings import verify_ratings
from agon.errors import AgonError, SettingError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

    from agon.games.game import Outcome
    from agon.match.transcript import Transcript

SUFFIXES = (".json", ".json.gz")
OK, DIFFERS, DAMAGED = "ok", "differs", "damaged"

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="Transcripts, logs and maps in a game's own text, or folders with *.json and"
        " *.json.gz in them; with --ratings, a game.",
        show_default=False,
    ),
]
RatingsFlag = Annotated[
    bool,
    typer.Option(
        "--ratings",
        metavar="",
        help="Compute all ratings and the table of a game, or of all games, again from the stored"
        " matches.",
    ),
]


LogFile = Annotated[
    str | None,
    typer.Option(
        "--log",
        metavar="FILE",
        help="Compare the match with this text of it (`agon replay --log`), line by line.",
    ),
]


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of one file or stored match."""

    path: str
    verdict: str
    what: str = ""
    """Where and what is wrong, if something is."""
    turns: int = 0
    outcome: Outcome | None = None
    notes: tuple[str, ...] = ()
    """What was odd about the file, though it can be read."""


def verify(
    files: Files = None,
    match: MatchId = None,
    ratings: RatingsFlag = False,
    log: LogFile = None,
    data: Data = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay matches; check every turn and the stored outcome; name the first difference.

    With --ratings, look at the stored matches: whether their scores are those of their transcripts,
    whether the live ratings follow from them, and whether the official table does, in every digit.

    Ends with status 0 if all is well, with 1 if something differs or is damaged.

    \b
    Examples:
      agon verify match.json
      agon verify matches --json
      agon verify --match 12
      agon verify --ratings hive
      agon verify match.json --log match.log
    """
    if ratings:
        verify_ratings(check_ratings_use(files, match), data, as_json)
        return
    results = verify_chosen(files, match, log, data, as_json)
    wrong = sum(result.verdict != OK for result in results)
    if as_json:
        print_json({"ok": not wrong, "files": [result_json(result) for result in results]})
    elif len(results) > 1:
        counts = f"{len(results)} matches, {wrong or 'none'} wrong"
        progress_console().print(counts, style="dim", markup=False)
    if wrong:
        raise typer.Exit(1)


def verify_chosen(
    files: Sequence[str] | None,
    match: int | None,
    log: str | None,
    data: str | None,
    quiet: bool,
) -> list[Verified]:
    """What the command line names, with a line for each."""
    if files and match is not None:
        raise SettingError(f"{files[0]} with --match {match}: choose one of them")
    if match is not None:
        result = verify_stored(match, data)
    elif not files:
        raise SettingError("expected transcripts: a FILE, --match ID, or --ratings")
    elif log is not None:
        result = verify_log(files, Path(log))
    else:
        return verify_all(find_transcripts(files), quiet=quiet)
    if not quiet:
        result_console().print(format_result(result), soft_wrap=True)
    return [result]


def check_ratings_use(names: Sequence[str] | None, match: int | None) -> list[str]:
    """The games whose ratings are meant: the one that is named, or all."""
    from agon.games.registry import find_game, game_names

    if match is not None:
        raise SettingError(f"--ratings with --match {match}: choose one of them")
    if names and len(names) > 1:
        raise SettingError(f"--ratings {' '.join(names)}: expected one game, or none for all")
    return [find_game(name).name for name in names] if names else list(game_names())


def verify_stored(match: int, data: str | None) -> Verified:
    with open_stored(data) as store:
        store.matches.get(match)
        return verify_one(f"match {match}", lambda: stored_transcript(store, match))


def find_transcripts(names: Sequence[str]) -> list[Path]:
    """The files that are meant, each once; a folder stands for all transcripts below it."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and is_transcript_name(p))
            if not inside:
                raise SettingError(f"folder {name!r}: no *.json or *.json.gz in it")
            found |= dict.fromkeys(inside)
        elif path.exists():
            found[path] = None
        else:
            raise SettingError(f"file {name!r}: there is no such file")
    return list(found)


def is_transcript_name(path: Path) -> bool:
    return path.name.endswith(SUFFIXES)


def verify_all(paths: Sequence[Path], quiet: bool) -> list[Verified]:
    """Every file in turn, with a line for each, and a bar below them on a terminal."""
    results = []
    bar = progress_bar(progress_console())
    console = line_console(bar)
    with compile_notice("the games"), bar:
        task = bar.add_task("verifying", total=len(paths), visible=len(paths) > 1)
        for path in paths:
            result = verify_file(path)
            results.append(result)
            if not quiet:
                console.print(format_result(result), soft_wrap=True)
            bar.update(task, advance=1)
    return results


def line_console(bar: Progress) -> Console:
    """Where lines go while a bar is shown: above it if both are on a terminal, else to stdout."""
    from rich.console import Console

    if sys.stdout.isatty() and bar.console.is_terminal:
        return bar.console
    return Console(file=sys.stdout, highlight=False)


def verify_file(path: Path) -> Verified:
    from agon.match.transcript import load_transcript

    return verify_one(str(path), lambda: load_transcript(path))


def verify_log(files: Sequence[str], log: Path) -> Verified:
    """Replay one transcript, and compare a text of the match with it."""
    from agon.match.transcript import load_transcript, played_positions, read_text

    if len(files) != 1:
        raise SettingError(f"--log {log} with {len(files)} transcripts: expected one")
    found = verify_file(Path(files[0]))
    if found.verdict != OK:
        return found
    transcript = load_transcript(Path(files[0]))
    game = transcript.game
    try:
        told = game.format_match(game.parse_match(read_text(log).strip())).splitlines()
    except AgonError as error:
        return replace(found, path=str(log), verdict=DAMAGED, what=str(error))
    played = game.format_match(played_positions(transcript)).splitlines()
    for number, (one, other) in enumerate(zip_longest(told, played, fillvalue="the end"), 1):
        if one != other:
            what = f"line {number}: {one!r}: the match has {other!r}"
            return replace(found, path=str(log), verdict=DIFFERS, what=what)
    return found


def verify_one(path: str, load: Callable[[], Transcript]) -> Verified:
    from agon.match.transcript import TurnEvent
    from agon.match.transcript import verify as verify_transcript

    try:
        transcript = load()
    except TranscriptError as error:
        return Verified(path, DAMAGED, str(error).removeprefix(f"{path}: "))
    turns = sum(isinstance(event, TurnEvent) for event in transcript.events)
    try:
        outcome = verify_transcript(transcript)
    except TranscriptError as error:
        return Verified(path, DIFFERS, str(error), turns, notes=transcript.notes)
    return Verified(path, OK, "", turns, outcome, transcript.notes)


def format_result(result: Verified) -> Text:
    from rich.text import Text

    style = {OK: "green", DIFFERS: "bold red", DAMAGED: "bold red"}[result.verdict]
    line = Text.assemble((f"{result.verdict:<8}", style), printable(result.path), "  ")
    if result.verdict == OK:
        ending = result.outcome.reason if result.outcome else "unfinished"
        line.append(f"{result.turns} turns, {ending}", "dim")
    else:
        line.append(printable(result.what))
    for note in result.notes:
        line.append(f"\n        note: {printable(note)}", "yellow")
    return line


def result_json(result: Verified) -> dict[str, JsonValue]:
    outcome: JsonValue = None
    if result.outcome is not None:
        outcome = {"scores": list(result.outcome.scores), "reason": result.outcome.reason}
    return {
        "file": result.path,
        "verdict": result.verdict,
        "what": result.what,
        "turns": result.turns,
        "outcome": outcome,
        "notes": list(result.notes),
    }
