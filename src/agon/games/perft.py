"""What `agon perft` needs of a game: its lines of play, counted in shares that threads can take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class PerftJob:
    """A share of a perft; the sum over all shares is the number of lines of play.

    `first` is the first move of the lines in this share, in the notation of `Game.parse_match`;
    None where there is no move: depth 0. `count` counts them, on whichever thread calls it.
    """

    first: str | None
    count: Callable[[], int]
