"""The end of what a process has logged, for people: few lines, and short ones.

It may quote what a bot wrote, so nothing in it can play tricks with a terminal or a page.
"""

from __future__ import annotations

from pathlib import Path

from agon.arena.check_report import plain

MOST_LINES = 40
MOST_BYTES = 40_000
CRASH = "Fatal Python error"
"""How Python begins to tell of its crash: the stacks of all its threads follow."""
MARKS = (":job_id:", ":task_name:", ":actor_name:")
"""How lines begin that Ray writes for itself."""


def last_lines(text: str) -> tuple[str, ...]:
    r"""The end of a log, and before it what the process crashed of.

    >>> last_lines("Traceback:\n\n  \x1b[2Jboom\n")
    ('Traceback:', '  \\x1b[2Jboom')
    """
    lines = [line for line in text[-MOST_BYTES:].splitlines() if line.strip()]
    crash = [line for line in lines[:-MOST_LINES] if line.startswith(CRASH)]
    return tuple(plain(line.rstrip()) for line in crash + lines[-MOST_LINES:])


def read_last_lines(path: str) -> tuple[str, ...]:
    """The end of a log file on this machine, without marks of Ray."""
    try:
        with Path(path).open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - MOST_BYTES))
            text = file.read(MOST_BYTES).decode(errors="replace")
    except OSError as error:
        return (f"its log cannot be read: {error.strerror}",)
    lines = text.splitlines()
    return last_lines("\n".join(line for line in lines if not line.startswith(MARKS)))
