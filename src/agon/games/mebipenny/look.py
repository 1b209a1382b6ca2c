"""How MebiPenny looks: the players' colours, shapes and letters, the board and its walls.

Colour is never the only sign: each player also has a shape in pictures and a letter in texts.
The colours differ in lightness too, which is what is left of them for colour-blind people.

Sizes are those of a cell that is 40 wide.
"""

from __future__ import annotations

from typing import Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star
from agon.games.shapes import Box, Glyph, Look, Shape, Stamp, Stroke, Style

CELL = 40.0
CLAIM, CORNER = 36.0, 9.0
INK_TEXT = ("#20242c", "#e8eaf0")
SOFT_TEXT = ("#5a6272", "#a2a9b8")
MARK = ("#d9480f", "#ffb35c")
BOARD = ("#e3e6ec", "#2a2e37")
FREE = ("#f7f8fa", "#1d2027")


CIRCLE = "M7.5 0A7.5 7.5 0 1 1 -7.5 0A7.5 7.5 0 1 1 7.5 0Z"
PLAYER_THEMES: Final[tuple[PlayerTheme, ...]] = (
    PlayerTheme("Red", "#c02b26", "#d5443c", BRIGHT, CIRCLE),
    PlayerTheme("Blue", "#1a56a6", "#3f7fdc", BRIGHT, polygon((-7, -7), (7, -7), (7, 7), (-7, 7))),
    PlayerTheme("Green", "#35b38a", "#2fae84", DARK, polygon((0, -8.5), (9, 7), (-9, 7))),
    PlayerTheme("Yellow", "#f2cf2c", "#f0d450", DARK, star(4, 11, 4.5)),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)

BRICKS = "M-20 -7H20M-20 7H20M-6 -20V-7M10 -20V-7M-13 -7V7M3 -7V7M-6 7V20M10 7V20"


def _player_styles(theme: PlayerTheme) -> tuple[Style, ...]:
    colour = theme.light, theme.dark
    return (
        Style(f"claim {theme.role}", fill=colour),
        Style(f"held {theme.role}", line=colour),
        Style(f"coordinates {theme.role}", fill=theme.number),
    )


LOOK: Final = Look(
    "mebipenny",
    styles=(
        Style("table", fill=("#f0f2f6", "#14161b")),
        Style("headline", fill=INK_TEXT, bold=True),
        # the board
        Style("board", fill=BOARD),
        Style("free", fill=FREE),
        Style("wall", fill=("#7a7f8b", "#565c69")),
        Style("bricks", fill="none", line=("#5f6470", "#40454f"), width=2),
        Style("axis", fill=SOFT_TEXT),
        # the last turn
        Style("last-case", fill="none", line=DARK, width=8),
        Style("last", fill="none", line="#ffb03b", width=4.5),
        Style("case", fill="none", line=DARK, width=4.5, opacity=0.55),
        Style("captured", fill="none", line="#fff3d6", width=3, dash="0.1 6"),
        # hands on the board
        Style("held", fill="none", width=3),
        # the panel
        Style("row", fill=("#ffffff", "#1f232b"), line=("#cdd2dc", "#343a46"), width=1),
        Style("row active", line=MARK, width=3),
        Style("player", fill=INK_TEXT, bold=True),
        Style("points", fill=INK_TEXT, bold=True),
        Style("note", fill=SOFT_TEXT),
        Style("verdict", fill=("#b93c08", "#ffb35c"), bold=True),
        Style("coordinates", bold=True),
        Style("back", fill=("#c6ccd8", "#3a414e"), line=("#aab2c2", "#4a5262"), width=1),
        *(style for theme in PLAYER_THEMES for style in _player_styles(theme)),
        *(Style(f"sign-{theme.role}", fill=theme.number, opacity=0.8) for theme in PLAYER_THEMES),
        *(Style(f"held-{o.role}", fill=(o.light, o.dark)) for o in PLAYER_THEMES),
        *CHOICE_STYLES,
    ),
    glyphs=(
        *(
            Glyph(f"sign-{theme.role}", (Stroke(f"sign-{theme.role}", theme.outline),))
            for theme in PLAYER_THEMES
        ),
        *(
            Glyph(f"held-{theme.role}", (Stroke(f"held-{theme.role}", theme.outline),))
            for theme in PLAYER_THEMES
        ),
        Glyph("bricks", (Stroke("bricks", BRICKS),)),
    ),
)


def emblem(seat: int) -> tuple[Shape, ...]:
    """A claim of a player."""
    role = PLAYER_THEMES[seat].role
    return (
        Box("", f"claim {role}", width=CLAIM, height=CLAIM, corner=CORNER),
        Stamp("", role, glyph=f"sign-{role}"),
    )
