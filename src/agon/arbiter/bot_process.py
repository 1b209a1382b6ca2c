"""A bot that is a program, and its process as a seat sees it: in the sandbox or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agon.sandbox.core_times import CoreTimes


@dataclass(frozen=True, slots=True)
class Program:
    """A bot that is a program."""

    name: str
    run: tuple[str, ...]
    folder: Path | None = None
    build: tuple[str, ...] = ()
    language: str = ""
    games: tuple[str, ...] = ()
    protocol: str | None = None
    legal: bool = False
    """Whether it is sent the legal moves with each question."""
    port: int | None = None
    """The port of this machine at which it is to dial in, where it does; filled in at its start."""


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


if TYPE_CHECKING:
    Launch: TypeAlias = Callable[[Program], Process]
