"""A position as a picture: a `Scene` of shapes.

A game turns a position into a scene. The same scene becomes an SVG file (`svg.py`), the frames of a
replay and the board in a browser, so it says *what* is where and never how to draw it.
"""

from __future__ import annotations

from dataclasses import dataclass

from agon.games.shapes import Look, Shape, all_shapes
from agon.games.svg import format_svg


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: `width` by `height`, shapes from back to front, a title in words."""

    title: str
    width: float
    height: float
    look: Look
    shapes: tuple[Shape, ...]

    def __post_init__(self) -> None:
        """Refuse ids that would make two shapes one."""
        seen: set[str] = set()
        for shape in all_shapes(self.shapes):
            if shape.id and shape.id in seen:
                raise ValueError(f"two shapes have the id {shape.id!r}; an id stands for one thing")
            seen.add(shape.id)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return format_svg(self)
