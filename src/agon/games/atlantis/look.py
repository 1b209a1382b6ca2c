"""How Atlantis looks: the players' colours and shapes, and the colours of land and water.

Colour is never the only sign: each player also has a shape in pictures and a letter in texts.
The colours differ in lightness too, which is what is left of them for colour-blind people.

Sizes are those of a field that is 60 wide, 30 from its middle to a corner.
"""

from __future__ import annotations

from typing import Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star, turned
from agon.games.shapes import INK, Glyph, Look, Shape, Stamp, Stroke, Style

HEX = 30.0
INSET = 4.0  # of the ring in a growing field
HOLLOW = 0.84  # the size of growing stones, against those that can move
LAND = ("#efe6cf", "#4b463a")
PAPER = ("#fffdf6", "#211f1a")


CIRCLE = "M17 0A17 17 0 1 1 -17 0A17 17 0 1 1 17 0Z"
PLAYER_THEMES: Final[tuple[PlayerTheme, ...]] = (
    PlayerTheme("Red", "#b3211c", "#dd3f35", BRIGHT, CIRCLE),
    PlayerTheme(
        "Blue",
        "#14509f",
        "#3a80e0",
        BRIGHT,
        polygon((-15.5, -15.5), (15.5, -15.5), (15.5, 15.5), (-15.5, 15.5)),
    ),
    PlayerTheme("Green", "#12a06f", "#1fb585", DARK, polygon((0, -22), (21, 15), (-21, 15)), 4),
    PlayerTheme(
        "Yellow", "#f4d92e", "#f7e15a", DARK, polygon((0, -22), (22, 0), (0, 22), (-22, 0))
    ),
    PlayerTheme("Orange", "#e27a10", "#ee8a22", DARK, star(6, 22, 14)),
    PlayerTheme(
        "Purple", "#d07fc4", "#e3a0de", DARK, turned([(10, -19.5), (10, -10), (19.5, -10)])
    ),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)

WAVES = "M-14 -5q3.5 -5 7 0t7 0t7 0t7 0M-14 7q3.5 -5 7 0t7 0t7 0t7 0"
SPROUT = "M0 14V-1C-2 -10 -9 -13 -16 -12C-15 -5 -9 0 0 -1C2 -9 8 -13 15 -12C15 -5 9 0 0 -1"


def _mixed(colour: str, ground: str, share: float) -> str:
    """So much of the colour in the ground.

    >>> _mixed("#ff0000", "#0000ff", 0.2)
    '#3300cc'
    """
    parts = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def _player_styles(theme: PlayerTheme) -> tuple[Style, ...]:
    colour = theme.light, theme.dark
    held = _mixed(theme.light, LAND[0], 0.38), _mixed(theme.dark, LAND[1], 0.38)
    return (
        Style(f"{theme.role}", ink=colour),
        Style(f"held {theme.role}", fill=held),
        Style(f"ring {theme.role}", line=colour),
        Style(f"shaft {theme.role}", line=colour),
        Style(f"point {theme.role}", fill=colour),
        Style(f"count {theme.role}", fill=theme.number),
    )


LOOK: Final = Look(
    "atlantis",
    styles=(
        Style("sea", fill=("#d6e8ee", "#0e1c26")),
        Style("headline", fill=("#1c2b33", "#e6eef2"), bold=True),
        # the board
        Style("land", fill=LAND, line=("#d5c9a8", "#38342a"), width=1.5),
        Style("growing", fill=("#cfe6a4", "#3d5a2d"), line=("#a9c878", "#2c4220"), width=1.5),
        Style("dead", fill=("#bcd7e1", "#132936"), line=("#aecdd9", "#193342"), width=1.5),
        Style("border", fill="none", line=("#8d7b50", "#14120d"), width=4),
        Style("axis", fill=("#5f7b87", "#7f9aa6")),
        Style("name", fill=("#8d7b50", "#9a9078")),
        # what lies on it; the tip is that of the field
        Style("stack", through=True),
        Style("stones", fill=INK, line=DARK, width=1.6),
        Style("hollow", fill=PAPER, line=INK, width=3.4),
        Style("sprout", fill="none", line=("#3f7a1c", "#a5d86b"), width=3, through=True),
        Style("waves", fill="none", line=("#8fb8c8", "#28495b"), width=2.2),
        Style("count", bold=True),
        Style("soft-count", fill=("#1c2410", "#f3f7ea"), bold=True),
        Style("ring", fill="none", width=3.4),
        # the last turn
        Style("case", fill="none", line=PAPER, width=11, opacity=0.85),
        Style("shaft", fill="none", width=6),
        Style("point", line=PAPER, width=2),
        Style("mark", fill="none", line=("#e8590c", "#ffa94d"), width=5),
        Style("burst", fill=("#ffb02e", "#ff922b"), line=("#d9480f", "#ffe066"), width=2.5),
        # the panel
        Style("row", fill=("#f4fafc", "#172a36"), line=("#b9d0da", "#24404f"), width=1),
        Style("row active", fill=("#ffffff", "#1f3a4a"), line=("#e8590c", "#ffa94d"), width=3),
        Style("player", fill=("#1c2b33", "#e6eef2"), bold=True),
        Style("points", fill=("#1c2b33", "#e6eef2"), bold=True),
        Style("note", fill=("#4d6672", "#9db4bf")),
        Style("verdict", fill=("#c2410c", "#ffa94d"), bold=True),
        *(style for theme in PLAYER_THEMES for style in _player_styles(theme)),
        *CHOICE_STYLES,
    ),
    glyphs=(
        *(Glyph(f"stones-{o.role}", (Stroke("stones", o.outline),)) for o in PLAYER_THEMES),
        *(Glyph(f"hollow-{o.role}", (Stroke("hollow", o.outline),)) for o in PLAYER_THEMES),
        Glyph("waves", (Stroke("waves", WAVES),)),
        Glyph("sprout", (Stroke("sprout", SPROUT),)),
        Glyph("burst", (Stroke("burst", star(12, 27, 17)),)),
    ),
)


def format_count(stones: int) -> str:
    """The number of stones in at most four characters.

    >>> format_count(7), format_count(2_500), format_count(123_456)
    ('7', '2k', '123k')
    """
    return str(stones) if stones < 1000 else f"{stones // 1000}k"


def emblem(seat: int) -> tuple[Shape, ...]:
    """Stones of a player."""
    role = PLAYER_THEMES[seat].role
    return (Stamp("", role, glyph=f"stones-{role}", scale=0.9),)
