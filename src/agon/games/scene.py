"""A position as a picture: a `Scene` of shapes.

A game turns a position into a scene. The same scene becomes an SVG file (`svg.py`), the frames of a
replay and the board in a browser, so it says *what* is where and never how to draw it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import TypeAlias

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


Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def scene_to_json(scene: Scene) -> dict[str, Json]:
    """The scene as JSON data: the dataclasses' own field names, and a `kind` for each shape."""
    return _record(scene)


def _record(value: object) -> dict[str, Json]:
    if not is_dataclass(value):
        raise TypeError(f"{value!r} in a scene: expected text, numbers, tuples and dataclasses")
    record: dict[str, Json] = {}
    if isinstance(value, Shape):
        record["kind"] = type(value).__name__.lower()
    return record | {part.name: _json(getattr(value, part.name)) for part in fields(value)}


def _json(value: object) -> Json:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    return _record(value)
