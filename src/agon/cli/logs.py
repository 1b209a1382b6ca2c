"""What a match left for the authors of its bots, printed: lines exchanged, standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.cli.console import JsonValue, print_json, result_console
from agon.cli.printable import printable
from agon.errors import SettingError, TranscriptError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.cli.recording import Recording


def print_wire(recording: Recording, source: str, seat: int | None, as_json: bool) -> None:
    """The lines that programs exchanged with the arbiter: `> ` to the program, `< ` from it."""
    wire = wire_of(recording, source)
    if seat is not None and not wire[seat] and not as_json:
        raise SettingError(
            f"{source}: seat {seat} ({recording.name(seat)}) exchanged no lines: it is no program"
        )
    print_by_seat(recording, wire, seat, as_json, [*wire])


def print_stderr(recording: Recording, source: str, seat: int | None, as_json: bool) -> None:
    """The end of what the programs wrote to their standard error."""
    texts = stderr_of(recording, source)
    print_by_seat(recording, [text.splitlines() for text in texts], seat, as_json, [*texts])


def print_by_seat(
    recording: Recording,
    lines_by_seat: Sequence[Sequence[str]],
    seat: int | None,
    as_json: bool,
    data: Sequence[JsonValue],
) -> None:
    """The lines of one seat, or of all with headings; as JSON, the data itself."""
    if as_json:
        print_json(data if seat is None else data[seat])
        return
    from rich.text import Text

    console = result_console()
    for number, lines in enumerate(lines_by_seat):
        if seat is None:
            note = "" if lines else ": no lines"
            console.print(Text(f"seat {number}, {recording.name(number)}{note}", "bold"))
        for line in lines if seat in (None, number) else ():
            shown = printable(line) if console.is_terminal else line
            style = "cyan" if line.startswith("<") else ""
            console.print(Text(shown, style), soft_wrap=True)


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
