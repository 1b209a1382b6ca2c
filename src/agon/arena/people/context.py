"""What matches with people are played with, their states, and the error of a late call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from agon.arbiter.bot_process import Launch
    from agon.arbiter.entrant import Entrant
    from agon.arena.people.settings import PlaySettings


@dataclass(frozen=True, slots=True)
class PlayContext:
    """What matches are played with."""

    clock: Callable[[], int]
    """Counts nanoseconds."""
    executor: Executor
    """Built-in bots think here."""
    find_entrant: Callable[[int], Entrant]
    """A stored version, built and ready; SettingError if it cannot be."""
    launch: Launch
    settings: PlaySettings


class State(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class StaleError(AgonError):
    """The match has gone on since the caller looked at it."""
