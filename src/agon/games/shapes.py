"""What pictures of any game are made of: shapes with stable ids, and the look that they share.

- A shape's `id` stays with the thing that it shows (a tile, a fort, an army) from scene to scene,
  so that a renderer can move what moved.
- Its `role` is a few words like "face white"; the scene's `Look` says how each role is painted, in
  a light and in a dark theme.
- `x`, `y` is where the shape is, and all else about it is relative to that point: moving a shape
  changes nothing but its translation.

Shapes are for looking at, so they may hold floats; rules may not. Here y grows downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Colour: TypeAlias = str | tuple[str, str]
"""A CSS colour, or a pair of them: for the light theme and for the dark theme."""

INK = "currentColor"
"""The colour that stands for the `ink` of the role in which a glyph is stamped."""


class Theme(StrEnum):
    """Which of its two colours a role shows; `AUTO` leaves it to the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Anchor(StrEnum):
    """Which part of a label's text stands at its point."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Style:
    """How shapes are painted whose role has all the words of this `role`.

    More words win over fewer, then later styles over earlier ones. `None` leaves a thing as it is.
    """

    role: str
    fill: Colour | None = None
    line: Colour | None = None
    width: float | None = None
    dash: str | None = None
    opacity: float | None = None
    ink: Colour | None = None
    bold: bool = False
    halo: Colour | None = None
    """A wide line around a text, below it: so it can be read on anything."""
    through: bool = False
    """The pointer reaches what lies below, whose tip is shown."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One path of a glyph: a role, and SVG path data."""

    role: str
    d: str


@dataclass(frozen=True, slots=True)
class Glyph:
    """A small drawing around (0, 0), defined once and stamped often."""

    name: str
    strokes: tuple[Stroke, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What all scenes of one game share: its styles and glyphs. `name` keeps games apart."""

    name: str
    styles: tuple[Style, ...] = ()
    glyphs: tuple[Glyph, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """What every shape has. The parts of a group may go without an id: they come with the group."""

    id: str
    role: str
    x: float = 0
    y: float = 0
    tip: str = field(default="", kw_only=True)
    """Words for who points at the shape or cannot see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Shape):
    """Shapes that move, grow and are clicked as one; their places are relative to the group's."""

    parts: tuple[Shape, ...]
    scale: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hex(Shape):
    """A regular hexagon: `size` from centre to corner; a point on top, or a flat side."""

    size: float
    flat: bool = False
    corner: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc(Shape):
    """A circle."""

    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Shape):
    """An upright rectangle; the point is its centre."""

    width: float
    height: float
    corner: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Shape):
    """A straight line from the point to the point (dx, dy) further on."""

    dx: float
    dy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(Shape):
    """Any other outline, as SVG path data."""

    d: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp(Shape):
    """A glyph of the look, by its name."""

    glyph: str
    scale: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Label(Shape):
    """One line of text; the point is halfway up its capitals."""

    text: str
    size: float
    anchor: Anchor = Anchor.MIDDLE


READABLE = 6.0
"""The smallest size of text that is drawn."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a board lies in a picture: `scale` times its own size, its (0, 0) at `x`, `y`."""

    x: float
    y: float
    scale: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the board is in the picture."""
        return self.x + self.scale * x, self.y + self.scale * y

    def shows(self, size: float) -> bool:
        """Whether text of this size on the board can be read."""
        return size * self.scale >= READABLE


def all_shapes(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """The shapes, and those inside groups, from back to front."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from all_shapes(shape.parts)


def colour_in(colour: Colour, theme: Theme) -> str:
    """The colour as the theme shows it; `AUTO` shows the light one.

    >>> colour_in(("white", "black"), Theme.DARK)
    'black'
    """
    if isinstance(colour, str):
        return colour
    return colour[theme is Theme.DARK]
