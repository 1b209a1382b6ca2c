"""What tells one player from another in the pictures of a game: a colour, a shape, a letter.

Shapes and letters tell players apart without colours. The colours differ in lightness too, which
colour-blind people can see.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = re.compile(r"([MLAZ])([^MLAZ]*)")
ARC_SIZES = (0, 1, 5, 6)
"""Which numbers of an arc are lengths; the others say which arc it is."""
DARK, BRIGHT = "#17150f", "#ffffff"
"""Colours of numbers, on bright shapes and on dark ones."""


@dataclass(frozen=True, slots=True)
class PlayerTheme:
    """The colours, shape and letter of one player."""

    name: str
    light: str
    dark: str
    number: str
    """The colour of numbers and letters on the player's colour."""
    outline: str
    """The shape, as path data."""
    drop: float = 0
    """How far below the middle of the shape its number stands."""
    sign: str = ""
    seat: str = ""
    """Its letter and its role, where they do not follow from its name."""

    @property
    def letter(self) -> str:
        """The player in texts."""
        return self.sign or self.name[0].lower()

    @property
    def role(self) -> str:
        """The player in the roles of shapes."""
        return self.seat or self.name.lower()


def polygon(*points: tuple[float, float]) -> str:
    """A closed line through these points, as path data."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def star(rays: int, outer: float, inner: float) -> str:
    """A star with one ray upwards."""
    turns = [(i * pi / rays, inner if i % 2 else outer) for i in range(2 * rays)]
    return polygon(*((r * sin(turn), -r * cos(turn)) for turn, r in turns))


def turned(points: Sequence[tuple[float, float]], turn: float = 0) -> str:
    """The points and their images under quarter turns, all turned by so much."""
    found = [*points]
    for _ in range(3):
        points = [(-y, x) for x, y in points]
        found += points
    c, s = cos(turn), sin(turn)
    return polygon(*((x * c - y * s, x * s + y * c) for x, y in found))


def scaled(outline: str, scale: float) -> str:
    """Path data of lines and arcs, as large as that.

    >>> scaled("M20 0A20 20 0 1 1 -20 0Z", 0.5)
    'M10 0A10 10 0 1 1 -10 0Z'
    """

    def scale_command(found: re.Match[str]) -> str:
        letter, numbers = found[1], found[2].split()
        for place, number in enumerate(numbers):
            if letter != "A" or place in ARC_SIZES:
                numbers[place] = f"{float(number) * scale:.1f}".removesuffix(".0")
        return letter + " ".join(numbers)

    return COMMAND.sub(scale_command, outline)
