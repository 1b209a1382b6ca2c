"""Robots and their deeds, as people talk about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.move import Action


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot as it stands, or its body."""

    seat: int
    place: Place
    health: int
    score: int
    weapons: tuple[int, ...]
    """Primary and secondary; none before they are chosen."""
    levels: tuple[int, ...]
    """By weapon; 0: not carried."""
    units: tuple[int, ...]
    """By the weapon that they are for. Players are not told."""


class Hit(NamedTuple):
    """A robot that was hit."""

    seat: int
    lost: int
    """Of its health."""
    is_fatal: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """What became of an action."""

    action: Action
    refusal: str | None = None
    """Why it was refused, or None: it was carried out."""
    origin: Place | None = None
    """Of a shot: where it was made."""
    target: Place | None = None
    """Of a shot: where it ended; None if that is off the map."""
    walked: int = 0
    """The steps of a laser or a droid."""
    hits: tuple[Hit, ...] = ()
    """Of a shot: whom it hit."""
