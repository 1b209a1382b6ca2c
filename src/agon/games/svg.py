"""A scene as an SVG file: valid, self-contained, for light and dark, without scripts.

Text that people wrote (names of players, headlines) is escaped here and nowhere else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from agon.games.shapes import (
    Box,
    Disc,
    Glyph,
    Group,
    Hex,
    Label,
    Line,
    Look,
    Path,
    Shape,
    Stamp,
    Style,
    Theme,
    colour_in,
)

if TYPE_CHECKING:
    from agon.games.scene import Scene

FONT = "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, even escaped."""
HALO = 4
SAME = 4096
"""Boards say the same few things over and over: so many of them are kept."""


def format_svg(scene: Scene, theme: Theme = Theme.AUTO, *, bare: bool = False) -> str:
    """The scene as the text of an SVG file; `bare`: for a page that has its styles and glyphs."""
    width, height, name = _number(scene.width), _number(scene.height), scene.look.name
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" class={_quoted(f"scene {_scope(name)}")} role="img">',
        f"<title>{_escaped(scene.title)}</title>",
        *(() if bare else _looks(scene.look, theme)),
        *(_shape(shape, name) for shape in scene.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _looks(look: Look, theme: Theme) -> list[str]:
    """The lines of a file that say how everything in it looks."""
    return [
        f"<style>{_escaped(format_css(look, theme))}</style>",
        "<defs>",
        *(_glyph(glyph, look.name) for glyph in look.glyphs),
        "</defs>",
    ]


def format_css(look: Look, theme: Theme = Theme.AUTO) -> str:
    """The look as a style sheet, which touches nothing outside the game's own pictures."""
    rules = [f".{_scope(look.name)} text{{font-family:{FONT}}}"]
    rules += [_rule(look, style, theme) for style in look.styles]
    if theme is Theme.AUTO:
        changed = [
            style
            for style in look.styles
            if _declarations(style, Theme.LIGHT) != _declarations(style, Theme.DARK)
        ]
        rules.append("@media (prefers-color-scheme: dark){")
        rules += [_rule(look, style, Theme.DARK) for style in changed]
        rules.append("}")
    return "\n".join(rules)


def _rule(look: Look, style: Style, theme: Theme) -> str:
    words = "".join("." + word for word in style.role.split())
    return f".{_scope(look.name)} {words}{{{_declarations(style, theme)}}}"


def _declarations(style: Style, theme: Theme) -> str:
    parts: list[str] = []
    for key, colour in (("fill", style.fill), ("stroke", style.line), ("color", style.ink)):
        if colour is not None:
            parts.append(f"{key}:{colour_in(colour, theme)}")
    if style.width is not None:
        parts.append(f"stroke-width:{_number(style.width)}")
        parts.append("stroke-linecap:round;stroke-linejoin:round")
    if style.dash is not None:
        parts.append(f"stroke-dasharray:{style.dash}")
    if style.opacity is not None:
        parts.append(f"opacity:{_number(style.opacity)}")
    if style.bold:
        parts.append("font-weight:700")
    if style.halo is not None:
        parts.append(f"stroke:{colour_in(style.halo, theme)};stroke-width:{HALO}")
        parts.append("stroke-linejoin:round;paint-order:stroke")
    if style.through:
        parts.append("pointer-events:none")
    return ";".join(parts)


def _glyph(glyph: Glyph, look_name: str) -> str:
    paths = "".join(
        f"<path class={_quoted(stroke.role)} d={_quoted(stroke.d)}/>" for stroke in glyph.strokes
    )
    # A stamped glyph sees none of its surroundings' classes, so it brings the game's own.
    name = f"id={_quoted(_glyph_id(glyph.name, look_name))} class={_quoted(_scope(look_name))}"
    return f"<g {name}>{paths}</g>"


def _scope(look_name: str) -> str:
    """The class inside which a game's style sheet holds."""
    return f"scene-{look_name}"


def _glyph_id(glyph_name: str, look_name: str) -> str:
    return f"{look_name}-glyph-{glyph_name}"


def _shape(shape: Shape, look_name: str) -> str:
    """One shape as one element (with what is inside it)."""
    tag, attributes, inside = _element(shape, look_name)
    head = f"<{tag}"
    if shape.id:
        head += f" id={_quoted(shape.id)}"
    head += f" class={_quoted(shape.role)}"
    transform = _transform(shape)
    if transform:
        head += f' transform="{transform}"'
    if attributes:
        head += " " + attributes
    if shape.tip:
        inside = f"<title>{_escaped(shape.tip)}</title>{inside}"
    return f"{head}>{inside}</{tag}>" if inside else f"{head}/>"


def _transform(shape: Shape) -> str:
    steps = []
    if shape.x or shape.y:
        steps.append(f"translate({_number(shape.x)} {_number(shape.y)})")
    if isinstance(shape, Group | Stamp) and shape.scale != 1:
        steps.append(f"scale({shape.scale:.4g})")
    return " ".join(steps)


def _element(shape: Shape, look_name: str) -> tuple[str, str, str]:
    """Tag, own attributes and inside of the element that shows the shape."""
    match shape:
        case Group(parts=parts):
            return "g", "", "".join(_shape(part, look_name) for part in parts)
        case Hex():
            return "path", f'd="{hex_path(shape.size, shape.flat, shape.corner)}"', ""
        case Disc(radius=radius):
            return "circle", f'r="{_number(radius)}"', ""
        case Box(width=width, height=height, corner=corner):
            x, y = _number(-width / 2), _number(-height / 2)
            size = f'width="{_number(width)}" height="{_number(height)}" rx="{_number(corner)}"'
            return "rect", f'x="{x}" y="{y}" {size}', ""
        case Line(dx=dx, dy=dy):
            return "line", f'x2="{_number(dx)}" y2="{_number(dy)}"', ""
        case Path(d=d):
            return "path", f"d={_quoted(d)}", ""
        case Stamp(glyph=glyph):
            return "use", f"href={_quoted('#' + _glyph_id(glyph, look_name))}", ""
        case Label(text=text, size=size, anchor=anchor):
            # Capitals are about 0.7 of the size high: this puts their middle on the point.
            middle = f'y="{_number(size * 0.35)}" font-size="{_number(size)}"'
            return "text", f'{middle} text-anchor="{anchor}"', _escaped(text)
    raise TypeError(f"no way to draw a {type(shape).__name__}; expected one of the kinds in scene")


@lru_cache(SAME)
def hex_path(size: float, flat: bool = False, corner: float = 0) -> str:
    """Path data of a hexagon whose corners are rounded off, `corner` along each side."""
    turn = 0 if flat else pi / 6
    points = [(size * cos(turn + i * pi / 3), size * sin(turn + i * pi / 3)) for i in range(6)]
    steps: list[str] = []
    for i, point in enumerate(points):
        enter = _towards(point, points[i - 1], corner)
        leave = _towards(point, points[(i + 1) % 6], corner)
        steps.append(f"{'L' if i else 'M'}{_pair(enter)}")
        if corner:
            steps.append(f"Q{_pair(point)} {_pair(leave)}")
    return "".join(steps) + "Z"


def _towards(
    start: tuple[float, float], end: tuple[float, float], distance: float
) -> tuple[float, float]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = distance / hypot(dx, dy)
    return start[0] + dx * share, start[1] + dy * share


def _pair(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


@lru_cache(SAME)
def _number(value: float) -> str:
    """The number with at most two decimals, and no more than it needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _escaped(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))


@lru_cache(SAME)
def _quoted(text: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", text))
