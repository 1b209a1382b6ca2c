"""What commands share for their output: consoles, JSON, progress.

Results go to stdout; whatever tells how the work is going goes to stderr and moves only there, and
only when a terminal shows it.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from agon.cli.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.progress import Progress

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)

JSON_WIDTH = 100


def result_console() -> Console:
    """The console for results: stdout, coloured on a terminal."""
    from rich.console import Console

    return Console(highlight=False)


def progress_console() -> Console:
    """The console for how things are going: stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def print_notes(notes: Iterable[str]) -> None:
    """Tell what was odd about a text that was read."""
    console = progress_console()
    for note in notes:
        console.print(f"note: {printable(note)}", style="yellow", markup=False, soft_wrap=True)


def print_json(value: JsonValue) -> None:
    """Print a value as JSON: what fits a line stands on one, so that people can read it too."""
    print(format_json(value))


def format_json(value: JsonValue, indent: int = 0) -> str:
    """The value as JSON text, from this column on.

    >>> format_json({"seats": [2, 2], "name": "hive"})
    '{"seats": [2, 2], "name": "hive"}'
    """
    flat = json.dumps(value)
    if indent + len(flat) <= JSON_WIDTH or not isinstance(value, dict | list):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        ends = "{}"
        parts = [f"{json.dumps(key)}: {format_json(v, inner)}" for key, v in value.items()]
    else:
        ends = "[]"
        parts = [format_json(v, inner) for v in value]
    separator = ",\n" + " " * inner
    return f"{ends[0]}\n{' ' * inner}{separator.join(parts)}\n{' ' * indent}{ends[1]}"


def format_seconds(nanoseconds: int) -> str:
    """A time for people.

    >>> format_seconds(1_234_000_000), format_seconds(48_500_000)
    ('1.23 s', '48.5 ms')
    """
    if nanoseconds < 10**9:
        return f"{nanoseconds / 10**6:.1f} ms"
    return f"{nanoseconds / 10**9:.2f} s"


def progress_bar(console: Console) -> Progress:
    """A bar with the time that is over and the time that is left; nothing if no one can see it."""
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


@contextmanager
def compile_notice(title: str) -> Iterator[None]:
    """Say so on stderr if kernels are compiled inside this block, and at its end how long it took.

    Loads the compiler: only for commands that are about to need it.
    """
    from agon.kernel import compile_listener

    notice = CompileNotice(title, progress_console(), time.perf_counter_ns)
    try:
        with compile_listener(notice.on_event):
            yield
    finally:
        notice.close()


class CompileNotice:
    """One line about compilation: a spinner on a terminal, else written once and ended once.

    The compiler tells of kernels inside kernels and of many in a row; the notice begins with the
    first of them and counts the time until the end of the last one.
    """

    def __init__(self, title: str, console: Console, clock: Callable[[], int]) -> None:
        """The notice for the game of that title; the clock gives nanoseconds."""
        from agon.kernel import compiling_text

        self.text = compiling_text(title)
        self._console = console
        self._clock = clock
        self._begin: int | None = None
        self._end = 0
        self._spinner: Progress | None = None

    def on_event(self, module: str, begins: bool) -> None:
        """Take note that the compilation of a kernel of this module begins or ends."""
        self._end = self._clock()
        if begins and self._begin is None:
            self._begin = self._end
            self._show()

    def _show(self) -> None:
        if not self._console.is_terminal:
            self._console.print(f"agon: {self.text} …", end="", soft_wrap=True)
            self._console.file.flush()
            return
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._spinner = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._spinner.add_task(f"{self.text} …", total=None)
        self._spinner.start()

    def close(self) -> None:
        if self._begin is None:
            return
        took = format_seconds(self._end - self._begin)
        if self._spinner is None:
            self._console.print(f" {took}")
        else:
            self._spinner.stop()
            self._console.print(f"{self.text}: {took}", style="dim")
