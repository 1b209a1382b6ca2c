"""A running program, as its seat sees it: in the sandbox or not, with pipes or dialled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agon.sandbox.core_times import CoreTimes


class Process(Protocol):
    """A running program with three pipes; the sandbox makes them, or the host itself."""

    @property
    def stdin_fd(self) -> int:
        """Where it reads."""
        ...

    @property
    def stdout_fd(self) -> int:
        """Where it answers."""
        ...

    @property
    def print_fds(self) -> tuple[int, ...]:
        """Where it prints for its author: its standard error, and what else is not its answer."""
        ...

    def read(self, most: int) -> bytes:
        """What it says, as far as it is there (else BlockingIOError); nothing at the end."""
        ...

    def write(self, data: bytes) -> int:
        """Say this to it; how much of it could be said now (BlockingIOError: nothing)."""
        ...

    def pause(self) -> None:
        """Stop all of it where it is."""
        ...

    def resume(self) -> None: ...

    def stop(self) -> None:
        """Kill it from another thread: one that waits for its answer sees the end of output."""
        ...

    def end(self) -> str | None:
        """Kill all of it and wait. How it had ended by itself, if it had: `exit status 3`."""
        ...

    def core_times(self) -> CoreTimes:
        """How long its threads ran and waited for a core."""
        ...

    def limit_reached(self) -> str | None:
        """The resource limit that ended it, if one did."""
        ...
