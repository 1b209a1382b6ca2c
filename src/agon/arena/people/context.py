"""What a match with people needs of its surroundings, its states, and the error of a late call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from agon.arbiter.entrant import Entrant, Launch
    from agon.arena.live_matches import LiveMatch
    from agon.arena.people.session import PlaySession
    from agon.arena.people.settings import PlaySettings
    from agon.match.result import MatchResult


@dataclass(frozen=True, slots=True)
class PlayContext:
    """What matches are played with, and where they go."""

    clock: Callable[[], int]
    """Counts nanoseconds."""
    executor: Executor
    """Built-in bots think here."""
    find_entrant: Callable[[int], Entrant]
    """A stored version, built and ready; SettingError if it cannot be."""
    launch: Launch
    show: Callable[[PlaySession], LiveMatch]
    """Show the match to spectators, when it begins."""
    note: Callable[[PlaySession], None]
    """Write the new events to the journal."""
    keep: Callable[[PlaySession, MatchResult], int]
    """Store the match; its number."""
    forget: Callable[[PlaySession], None]
    """Remove the match from the journal: it was not played."""
    settings: PlaySettings


class State(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class StaleError(AgonError):
    """The match has gone on since the caller looked at it."""
