"""What matches with people are played with, where they stand, and when somebody is too late."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable

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
    find_entrant: Callable[[int], Entrant]
    """A stored version, built and ready; SettingError if it cannot be."""
    launch: Launch
    show: Callable[[PlaySession], LiveMatch]
    """Put the match on the stage, when it begins."""
    note: Callable[[PlaySession], None]
    """Write down how far it has come."""
    keep: Callable[[PlaySession, MatchResult], int]
    """Store it; its number."""
    forget: Callable[[PlaySession], None]
    """It was not played: nothing of it is to be kept."""
    settings: PlaySettings


class State(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class StaleError(AgonError):
    """The match has gone on since somebody looked at it."""
