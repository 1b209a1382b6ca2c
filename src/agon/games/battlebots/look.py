"""How Battlebots looks: the players' colours, shapes and letters, and the colours of the land.

Colour is never the only sign: each player also has a shape in pictures and a letter in texts.
The colours differ in lightness too, which is what is left of them for colour-blind people.

Shapes are about 20 from their middle to their edge; pictures scale them.
"""

from __future__ import annotations

from math import pi
from typing import Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star, turned
from agon.games.shapes import INK, Glyph, Look, Shape, Stamp, Stroke, Style

PAPER = ("#f3efe2", "#191c1a")


CIRCLE = "M19 0A19 19 0 1 1 -19 0A19 19 0 1 1 19 0Z"
SQUARE = polygon((-17, -17), (17, -17), (17, 17), (-17, 17))
CROSS = [(11.0, -21.0), (11.0, -11.0), (21.0, -11.0)]
KEEP = "M-16 17V-15h7v6h5.5v-6h7v6h5.5v-6h7V17Z"
PLAYER_THEMES: Final[tuple[PlayerTheme, ...]] = (
    PlayerTheme("Red", "#b3211c", "#dd3f35", BRIGHT, CIRCLE),
    PlayerTheme("Blue", "#14509f", "#3a80e0", BRIGHT, SQUARE),
    PlayerTheme("Green", "#12a06f", "#1fb585", DARK, polygon((0, -24), (23, 17), (-23, 17)), 4),
    PlayerTheme(
        "Yellow", "#f4d92e", "#f7e15a", DARK, polygon((0, -25), (25, 0), (0, 25), (-25, 0))
    ),
    PlayerTheme("Orange", "#e27a10", "#ee8a22", DARK, star(6, 25, 16)),
    PlayerTheme("Purple", "#d07fc4", "#e3a0de", DARK, turned(CROSS)),
    PlayerTheme("Cyan", "#93dcef", "#a8ecfb", DARK, turned(CROSS, pi / 4)),
    PlayerTheme("White", "#ffffff", "#ffffff", DARK, polygon((0, 24), (23, -17), (-23, -17)), -4),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)


def _player_styles(theme: PlayerTheme) -> tuple[Style, ...]:
    colour = theme.light, theme.dark
    return (
        Style(f"{theme.role}", ink=colour),
        Style(f"march {theme.role}", fill=colour),
        Style(f"bar {theme.role}", fill=colour),
        Style(f"count {theme.role}", fill=theme.number),
    )


LOOK: Final = Look(
    "battlebots",
    styles=(
        Style("paper", fill=PAPER),
        Style("headline", fill=("#23281f", "#e9eee4"), bold=True),
        # the map
        Style("road", fill="none", line=("#cdbf9a", "#4a4637"), width=6),
        Style("road narrow", width=4),
        Style("steps", fill="none", line=("#fffdf6", "#8d8768"), width=2.6),
        Style("unseen", fill="none", line=("#e2dccb", "#2a2e2a"), width=4),
        Style("fort-name", fill=("#5d5440", "#b3aa90"), halo=PAPER),
        # what stands on it
        Style("shape", fill=INK, line=DARK, width=1.6),
        Style("keep", fill=("#e4dfd0", "#2b302b"), line=("#7b7564", "#99937f"), width=2.2),
        Style("fog", fill=("#dedace", "#2a2e2a"), line=("#c6c1b2", "#3b403b"), width=2.2),
        Style("count", bold=True),
        Style("count neutral", fill=("#5b5648", "#c9c3b0")),
        Style("size", fill=("#23281f", "#f4f7f0"), bold=True, halo=PAPER),
        Style("march", line=DARK, width=0.9),
        # the panel
        Style("row", fill=("#fbf9f2", "#222622"), line=("#d8d1bd", "#3a3f39"), width=1),
        Style("row viewer", fill=("#ffffff", "#2c332c"), line=("#e8590c", "#ffa94d"), width=3),
        Style("row gone", fill=("#e9e5d8", "#1c1f1c"), line=("#dcd6c6", "#2c302c"), width=1),
        Style("bar", line=("#8a8372", "#565c54"), width=0.8),
        Style("track", fill=("#e6e0cf", "#343a33")),
        Style("player", fill=("#23281f", "#e9eee4"), bold=True),
        Style("soldiers", fill=("#23281f", "#e9eee4"), bold=True),
        Style("note", fill=("#6a6452", "#a9a894")),
        Style("verdict", fill=("#c2410c", "#ffa94d"), bold=True),
        *(style for theme in PLAYER_THEMES for style in _player_styles(theme)),
        *CHOICE_STYLES,
    ),
    glyphs=(
        *(Glyph(f"shape-{o.role}", (Stroke("shape", o.outline),)) for o in PLAYER_THEMES),
        Glyph("keep", (Stroke("keep", KEEP),)),
        Glyph("fog", (Stroke("fog", KEEP),)),
    ),
)


def format_count(soldiers: int) -> str:
    """The number of soldiers in at most four characters.

    >>> [format_count(n) for n in (7, 999, 2_500, 99_999, 123_456, 98_765_432)]
    ['7', '999', '2.5k', '99k', '123k', '98M']
    """
    if soldiers < 1000:
        return str(soldiers)
    if soldiers < 10_000:
        return f"{soldiers // 100 / 10:.1f}k"
    return f"{soldiers // 1000}k" if soldiers < 10**6 else f"{soldiers // 10**6}M"


def emblem(seat: int) -> tuple[Shape, ...]:
    """A fort of a player."""
    role = PLAYER_THEMES[seat].role
    return (Stamp("", role, glyph=f"shape-{role}", scale=0.8),)
