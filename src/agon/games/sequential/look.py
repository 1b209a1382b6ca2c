"""How small games look: the players' colours and shapes, the board."""

from __future__ import annotations

from functools import cache
from typing import Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star, turned
from agon.games.shapes import Disc, Glyph, Look, Shape, Stamp, Stroke, Style

INK_TEXT = ("#20242c", "#e8eaf0")
SOFT_TEXT = ("#5a6272", "#a2a9b8")
MARK = ("#d9480f", "#ffb35c")
PIECE = 17.0
"""The radius of a piece in a cell that is 40 wide."""

CIRCLE = "M7.5 0A7.5 7.5 0 1 1 -7.5 0A7.5 7.5 0 1 1 7.5 0Z"
PLAYER_THEMES: Final = (
    PlayerTheme("Red", "#c02b26", "#d5443c", BRIGHT, CIRCLE),
    PlayerTheme("Blue", "#1a56a6", "#3f7fdc", BRIGHT, polygon((-7, -7), (7, -7), (7, 7), (-7, 7))),
    PlayerTheme("Green", "#35b38a", "#2fae84", DARK, polygon((0, -8.5), (9, 7), (-9, 7))),
    PlayerTheme("Yellow", "#f2cf2c", "#f0d450", DARK, star(4, 11, 4.5)),
    PlayerTheme("Orange", "#e27a10", "#ee8a22", DARK, star(6, 10, 6)),
    PlayerTheme("Purple", "#d07fc4", "#e3a0de", DARK, turned([(3, -9), (3, -3), (9, -3)])),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)


@cache
def look_for(name: str) -> Look:
    """The look of the game of that name: names keep the looks on a page apart."""
    return Look(
        name,
        styles=(
            Style("table", fill=("#f0f2f6", "#14161b")),
            Style("headline", fill=INK_TEXT, bold=True),
            Style("board", fill=("#dfe3ea", "#2a2e37")),
            Style("cell", fill=("#f7f8fa", "#1d2027")),
            Style("axis", fill=SOFT_TEXT),
            Style("last-case", fill="none", line=DARK, width=6),
            Style("last", fill="none", line="#ffb03b", width=3),
            Style("row", fill=("#ffffff", "#1f232b"), line=("#cdd2dc", "#343a46"), width=1),
            Style("row active", line=MARK, width=3),
            Style("player", fill=INK_TEXT, bold=True),
            Style("note", fill=SOFT_TEXT),
            Style("verdict", fill=("#b93c08", "#ffb35c"), bold=True),
            *(
                Style(f"piece {theme.role}", fill=(theme.light, theme.dark))
                for theme in PLAYER_THEMES
            ),
            *(
                Style(f"sign-{theme.role}", fill=theme.number, opacity=0.8)
                for theme in PLAYER_THEMES
            ),
            *CHOICE_STYLES,
        ),
        glyphs=tuple(
            Glyph(f"sign-{theme.role}", (Stroke(f"sign-{theme.role}", theme.outline),))
            for theme in PLAYER_THEMES
        ),
    )


def emblem(seat: int) -> tuple[Shape, ...]:
    """A piece of a player."""
    role = PLAYER_THEMES[seat].role
    return Disc("", f"piece {role}", radius=PIECE), Stamp("", role, glyph=f"sign-{role}")
