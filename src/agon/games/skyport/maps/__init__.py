"""Maps of our own, one for each number of seats, and a generator of more."""

from __future__ import annotations

import functools
from pathlib import Path

from agon.errors import SettingError
from agon.games.skyport.mapfile import Map, parse_map
from agon.games.skyport.maps.generator import generate

__all__ = ["NAMES", "generate", "load_map", "name_for"]

NAMES = ("two", "three", "four", "five", "six", "seven", "eight")


@functools.cache
def load_map(name: str) -> Map:
    """A map of ours by its name."""
    if name not in NAMES:
        raise SettingError(f"map {name!r}: expected one of {', '.join(NAMES)}")
    return parse_map((Path(__file__).parent / f"{name}.txt").read_text("ascii"))


def name_for(seats: int) -> str:
    """The map of ours for so many."""
    return NAMES[seats - 2]
