"""What bounds a match: time, depth, turns, and how much a program may say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.games.bot import Budget
from agon.games.dialogue import Briefing
from agon.match.clock import TimeControl

if TYPE_CHECKING:
    from collections.abc import Callable


MILLISECOND_NS = 10**6
GRACE_NS = 2 * MILLISECOND_NS
"""A program that is not asked may think this long while another does; then it is paused."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All times are whole nanoseconds."""

    turn_ns: int | None = None
    """Time per turn; None: as long as it takes."""
    bank_ns: int = 0
    """Time beyond that, once for the whole match."""
    start_ns: int = 10 * 10**9
    """Time that a program has to start, and once more on its first turn."""
    depth: int | None = None
    """Depth of search, for built-in bots."""
    threads: int = 1
    """Of each built-in bot that has a use for more than one."""
    turns: int | None = None
    """Turns after which the match ends without a winner."""
    line_bytes: int = 1 << 16
    turn_bytes: int = 1 << 20
    """What a program may say in one line, and while it is asked for one turn."""
    stderr_bytes: int = 1 << 16
    """How much of the end of its standard error is kept."""

    @property
    def time_control(self) -> TimeControl:
        """How long a seat may think; the first turn has the time to start once more."""
        return TimeControl(self.turn_ns, self.bank_ns, self.start_ns)

    def briefing(self, names: tuple[str, ...]) -> Briefing:
        """What a program is told of all this."""
        return Briefing(self.turn_ns, self.bank_ns, names)

    def budget(self, clock: Callable[[], int], deadline: int | None) -> Budget:
        """What a built-in bot may spend on the turn that begins now."""
        wanted = None if self.turn_ns is None else clock() + self.turn_ns
        if wanted is not None and deadline is not None:
            wanted = min(wanted, deadline)
        return Budget(clock, wanted, self.depth, self.threads)


def format_ns(nanoseconds: int) -> str:
    """A time for the bot's author.

    >>> format_ns(150_000_000), format_ns(10_000_000_000)
    ('0.15 s', '10 s')
    """
    return f"{nanoseconds / 10**9:g} s"
