"""What `agon map` needs of a game whose maps can be made by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class MapRequest:
    """What a map should be like; None: as usual."""

    players: int
    forts: int | None
    size: int | None
    seed: int
    fair: bool


@dataclass(frozen=True, slots=True)
class MapMaker:
    """How maps of a game are made."""

    make: Callable[[MapRequest], str]
    option: str
    """The game's option that takes a map."""
    flags: tuple[str, ...]
    """The flags of the command that its maps know."""
