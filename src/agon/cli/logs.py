"""What a match left for the authors of its bots, printed: lines exchanged, standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.cli.console import print_json, result_console
from agon.cli.printable import printable
from agon.errors import SettingError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.cli.recording import Recording


def print_wire(
    recording: Recording, source: str, seat: int | None, *, as_json: bool, raw: bool
) -> None:
    """The lines that programs exchanged with the arbiter: `> ` to the program, `< ` from it."""
    wire = wire_of(recording, source)
    if seat is not None and not wire[seat] and not as_json:
        raise SettingError(
            f"{source}: seat {seat} ({recording.name(seat)}) exchanged no lines: it is no program"
        )
    if as_json:
        print_json([*wire] if seat is None else wire[seat])
    else:
        print_by_seat(recording, wire, seat, raw)


def print_stderr(
    recording: Recording, source: str, seat: int | None, *, as_json: bool, raw: bool
) -> None:
    """The end of what the programs wrote to their standard error."""
    texts = stderr_of(recording, source)
    if as_json:
        print_json([*texts] if seat is None else texts[seat])
    else:
        print_by_seat(recording, [text.splitlines() for text in texts], seat, raw)


def print_by_seat(
    recording: Recording, lines_by_seat: Sequence[Sequence[str]], seat: int | None, raw: bool
) -> None:
    """The lines of one seat, or of all with headings.

    Control characters are spelled out, unless `raw`: a pipe may end in a terminal, too.
    """
    from rich.text import Text

    console = result_console()
    for number, lines in enumerate(lines_by_seat):
        if seat is None:
            note = "" if lines else ": no lines"
            console.print(Text(f"seat {number}, {recording.name(number)}{note}", "bold"))
        for line in lines if seat in (None, number) else ():
            if raw:
                print(line)
                continue
            style = "cyan" if line.startswith("<") else ""
            console.print(Text(printable(line), style), soft_wrap=True)


def wire_of(recording: Recording, source: str) -> list[list[str]]:
    """The lines by seat, as the transcript has them."""
    wire: Any = _stored(recording, source, "wire", "no lines are")
    if not all(isinstance(lines, list) for lines in wire) or not all(
        isinstance(line, str) for lines in wire for line in lines
    ):
        raise _wrong_form(recording, source, "wire", "a list of texts")
    return [*wire]


def stderr_of(recording: Recording, source: str) -> list[str]:
    """The standard error by seat, as the transcript has it."""
    texts: Any = _stored(recording, source, "stderr", "no standard error is")
    if not all(isinstance(text, str) for text in texts):
        raise _wrong_form(recording, source, "stderr", "a text")
    return [*texts]


def _stored(recording: Recording, source: str, key: str, nothing: str) -> list[Any]:
    found: Any = recording.transcript.extra.get(key)
    if found is None:
        raise SettingError(
            f"{source}: {nothing} stored in it;"
            " `agon match --save` and tournaments store them for programs"
        )
    if not isinstance(found, list) or len(found) != recording.frames[0].position.seats:
        form = "a list of texts" if key == "wire" else "a text"
        raise _wrong_form(recording, source, key, form)
    return found


def _wrong_form(recording: Recording, source: str, key: str, form: str) -> TranscriptError:
    seats = recording.frames[0].position.seats
    return TranscriptError(f"{source}: {key}: expected {form} for each of {seats} seats")
