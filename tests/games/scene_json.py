"""A scene as JSON data, for tests that look at all of it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.games.shapes import Shape

if TYPE_CHECKING:
    from agon.games.scene import Scene

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
