"""Scenes one after the other in one SVG file, which plays by itself, over and over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agon.games.svg import format_svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.scene import Scene

LAST_FRAMES = 4
"""For how many times as long as the others the last scene is shown."""
ID = re.compile(r' id="([^"]*)"')


def format_animation(scenes: Sequence[Scene], frame_ms: int) -> str:
    """The scenes, of one match, as the text of an SVG file; each is shown for so long."""
    last = len(scenes) - 1
    total = (last + LAST_FRAMES) * frame_ms
    head, _, tail = _split(format_svg(scenes[0]))
    frames = []
    for number, scene in enumerate(scenes):
        body = ID.sub(rf' id="{number}-\1"', _split(format_svg(scene))[1])
        frames.append(f'<g class="frame" style="{_timing(number, last, frame_ms)}">{body}</g>')
    return head + _styles(frame_ms, total) + "\n".join(frames) + "\n" + tail


def _split(picture: str) -> tuple[str, str, str]:
    """A picture's beginning up to its shapes, the shapes, and its end."""
    head, middle, rest = picture.partition("</defs>\n")
    shapes, end, _ = rest.rpartition("</svg>")
    return head + middle, shapes, f"{end}\n"


def _timing(number: int, last: int, frame_ms: int) -> str:
    name = "frame-last" if number == last else "frame"
    return f"animation-name:{name};animation-delay:{number * frame_ms}ms"


def _styles(frame_ms: int, total: int) -> str:
    """Every frame is seen for its share of the time; without motion only the last is seen."""

    def seen(name: str, milliseconds: int) -> str:
        share = f"{100 * milliseconds / total:.4f}%"
        return f"@keyframes {name}{{0%{{visibility:visible}}{share}{{visibility:hidden}}}}"

    return (
        "<style>"
        f"{seen('frame', frame_ms)}{seen('frame-last', LAST_FRAMES * frame_ms)}"
        f".frame{{visibility:hidden;animation:{total}ms step-end infinite}}"
        "@media (prefers-reduced-motion: reduce){.frame{animation:none}"
        ".frame:last-of-type{visibility:visible}}"
        "</style>\n"
    )
