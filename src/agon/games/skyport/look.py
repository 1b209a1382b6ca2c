"""How Skyport looks: the robots' colours and shapes, the island and what is on it.

Colour is never the only sign: each robot has a shape and the number of its seat, mines show what
they hold and how many units of it, and all other tiles have signs of their own. The colours differ
in lightness too, which is what is left of them for colour-blind people.

Sizes are those of a hex that is 60 wide, 30 from its middle to a corner.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import TYPE_CHECKING, Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star, turned
from agon.games.shapes import INK, Glyph, Label, Look, Shape, Stamp, Stroke, Style

if TYPE_CHECKING:
    from agon.games.skyport.mapfile import Place

HEX = 30.0
ROOT3 = sqrt(3)
SKY = ("#e4eef5", "#0f171e")
INK_TEXT = ("#1c2b33", "#e6eef2")
SOFT_TEXT = ("#4d6270", "#9db2c0")
MARK = ("#e8590c", "#ffa94d")
GRASS = ("#cfe3b4", "#3a4d31")

TILES: Final = {
    "G": "grass",
    "R": "rubidium",
    "E": "explodium",
    "C": "scrap",
    "V": "void",
    "O": "rock",
    "S": "spawn",
}
"""The kinds of tiles, by their letters in map files."""

WIDE = (
    ("trail", 5, "0.1 32"),
    ("trail-case", 7.5, "0.1 32"),
    ("beam-case", 11, None),
    ("beam", 6, None),
    ("beam-core", 2, None),
    ("way-case", 8, None),
    ("way", 4, "7 28"),
)
"""Lines on maps with so many hexes that they would be too thin to be seen."""

CIRCLE = "M17 0A17 17 0 1 1 -17 0A17 17 0 1 1 17 0Z"
SQUARE = polygon((-15.5, -15.5), (15.5, -15.5), (15.5, 15.5), (-15.5, 15.5))
CROSS = [(10.0, -19.5), (10.0, -10.0), (19.5, -10.0)]
PLAYER_THEMES: Final[tuple[PlayerTheme, ...]] = (
    PlayerTheme("Red", "#b3211c", "#dd3f35", BRIGHT, CIRCLE),
    PlayerTheme("Blue", "#14509f", "#3a80e0", BRIGHT, SQUARE),
    PlayerTheme("Green", "#12a06f", "#1fb585", DARK, polygon((0, -22), (21, 15), (-21, 15)), 4),
    PlayerTheme(
        "Yellow", "#f4d92e", "#f7e15a", DARK, polygon((0, -22), (22, 0), (0, 22), (-22, 0))
    ),
    PlayerTheme("Orange", "#e27a10", "#ee8a22", DARK, star(6, 22, 14)),
    PlayerTheme("Purple", "#d07fc4", "#e3a0de", DARK, turned(CROSS)),
    PlayerTheme("Cyan", "#93dcef", "#a8ecfb", DARK, turned(CROSS, pi / 4)),
    PlayerTheme("White", "#ffffff", "#ffffff", DARK, polygon((0, 22), (21, -15), (-21, -15)), -4),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)


def middle(place: tuple[float, float]) -> tuple[float, float]:
    """R1: where a hex lies: j grows to the lower left, k to the lower right.

    >>> middle((0, 2))
    (90.0, 51.96152422706631)
    """
    j, k = place
    return 1.5 * HEX * (k - j), HEX * ROOT3 / 2 * (j + k)


def outline(place: Place, size: float = HEX) -> str:
    """The path of one hex, for paths of many."""
    x, y = middle(place)
    half, high = size / 2, size * ROOT3 / 2
    sides = f"l{-half:.1f} {high:.1f}h{-size:.1f}l{-half:.1f} {-high:.1f}l{half:.1f} {-high:.1f}"
    return f"M{x + size:.1f} {y:.1f}{sides}h{size:.1f}Z"


def _moved(points: list[tuple[float, float]], x: float, y: float) -> str:
    return polygon(*((a + x, b + y) for a, b in points))


def _ball(x: float, y: float, radius: float) -> str:
    round_ = f"a{radius} {radius} 0 1 1"
    return f"M{x + radius} {y}{round_} {-2 * radius} 0{round_} {2 * radius} 0Z"


def _ring(x: float, y: float, radius: float) -> str:
    """A disc with a hole: the hole goes round the other way."""
    hole = 0.42 * radius
    return (
        _ball(x, y, radius)
        + f"M{x - hole} {y}a{hole} {hole} 0 1 0 {2 * hole} 0a{hole} {hole} 0 1 0 {-2 * hole} 0Z"
    )


CRYSTAL: list[tuple[float, float]] = [(0, -13), (6, -5), (4, 12), (-4, 12), (-6, -5)]


def _mine_strokes(tile: str, x: float) -> tuple[Stroke, ...]:
    """One unit of what is mined: a crystal, a bomb with its fuse, a nut."""
    if tile == "rubidium":
        facets = f"M{x - 6} -5H{x + 6}M{x} -13V12"
        return Stroke(f"unit {tile}", _moved(CRYSTAL, x, 0)), Stroke(f"thread {tile}", facets)
    if tile == "explodium":
        fuse = f"M{x + 2} -3q1 -7 6 -7"
        return Stroke(f"unit {tile}", _ball(x, 4, 7.5)), Stroke(f"thread {tile}", fuse)
    return (Stroke(f"unit {tile}", _ring(x, 0, 9)),)


def _mine_glyphs(tile: str) -> tuple[Glyph, ...]:
    both = (*_mine_strokes(tile, -10), *_mine_strokes(tile, 10))
    return Glyph(f"{tile}-1", _mine_strokes(tile, 0)), Glyph(f"{tile}-2", both)


def _player_styles(theme: PlayerTheme) -> tuple[Style, ...]:
    colour = theme.light, theme.dark
    return (
        Style(f"{theme.role}", ink=colour),
        Style(f"pad {theme.role}", line=colour),
        Style(f"trail {theme.role}", line=colour),
        Style(f"number {theme.role}", fill=theme.number),
    )


LOOK: Final = Look(
    "skyport",
    styles=(
        Style("sky", fill=SKY),
        Style("headline", fill=INK_TEXT, bold=True),
        Style("axis", fill=SOFT_TEXT),
        # the island
        Style("tile", line=("#b4cf95", "#2b3a25"), width=1.6),
        Style("tile grass", fill=GRASS),
        Style("tile rubidium", fill=("#f0cfd2", "#573840")),
        Style("tile explodium", fill=("#f3e3b3", "#574b2b")),
        Style("tile scrap", fill=("#cddbe6", "#37485a")),
        Style("tile void", fill=SKY, line=("#c3d5e1", "#1e2b36")),
        Style("tile rock", fill=("#8c8f94", "#6a6f77"), line=("#74777c", "#4c5058")),
        Style("tile spawn", fill=("#f6f3ea", "#22282c"), line=("#b9b4a2", "#4a525a")),
        Style("unit", line=("#2b2b2b", "#0c0c0c"), width=1.4),
        Style("unit rubidium", fill=("#c2405a", "#e0647c")),
        Style("unit explodium", fill=("#4a4033", "#1c1812"), line=("#2b241a", "#e8c65a")),
        Style("unit scrap", fill=("#5d7f9d", "#8fb4d4")),
        Style("thread", fill="none", width=1.6),
        Style("thread rubidium", line=("#f3b5c0", "#7c2b3c"), width=1.1),
        Style("thread explodium", line=("#c9730a", "#ffcf5c"), width=2.4),
        Style("cloud", fill="none", line=("#b7cddb", "#2b3d4b"), width=2.6),
        Style("facet", fill=("#a7aaae", "#868c95")),
        Style("shade", fill=("#6d7075", "#4e535b")),
        Style("pad", fill="none", width=4),
        Style("pad-case", fill="none", line=DARK, width=6.5),
        Style("pad-number", fill=SOFT_TEXT, bold=True),
        # the robots
        Style("robot-shape", fill=INK, line=DARK, width=1.8),
        Style("body-shape", fill=("#d9dcd4", "#2a2f33"), line=INK, width=2.6, dash="4 4"),
        Style("cross", fill="none", line=("#3a3f44", "#d5dbe0"), width=4),
        Style("number", bold=True),
        Style("turn", fill="none", line=MARK, width=3),
        Style("health-track", fill=("#fdfdfb", "#0b0f12"), line=DARK, width=1.2),
        Style("health", fill=("#2f9e44", "#51cf66")),
        Style("health low", fill=("#e03131", "#ff6b6b")),
        # the last turn
        Style("past", opacity=0.45),
        Style("trail", fill="none", width=5, dash="0.1 9"),
        Style("trail-case", fill="none", line=DARK, width=7.5, dash="0.1 9"),
        Style("beam-case", fill="none", line=("#ffffff", "#1b1b1b"), width=11, opacity=0.8),
        Style("beam", fill="none", line=("#e8112d", "#ff4d61"), width=6),
        Style("beam-core", fill="none", line="#fff0f0", width=2),
        Style("way-case", fill="none", line=("#ffffff", "#1b1b1b"), width=8, opacity=0.7),
        Style("way", fill="none", line=("#6b4a12", "#ffd27a"), width=4, dash="2 8"),
        *(Style(f"{role} wide", width=3.5 * width, dash=dash) for role, width, dash in WIDE),
        Style("shell", fill=("#33302b", "#f4f1ea"), line=("#ffffff", "#14110c"), width=2),
        Style("droid", fill=("#3d4f63", "#c6d8ea"), line=("#ffffff", "#14110c"), width=2),
        Style("eye", fill=("#ffd43b", "#e8590c")),
        Style(
            "area", fill=("#ff922b", "#ff922b"), line=("#d9480f", "#ffc078"), width=2, opacity=0.42
        ),
        Style("blast", fill=("#ffb02e", "#ff922b"), line=("#d9480f", "#ffe066"), width=2.5),
        Style("spark", fill=("#ff6b6b", "#ff8787"), line=("#a61e2d", "#ffe3e3"), width=2),
        Style("lost", fill="none", line=("#6c7a86", "#8798a5"), width=4),
        Style("pop", fill=("#8a1420", "#ffd8a8"), bold=True, halo=("#ffffff", "#0c1217")),
        # the panel
        Style("row", fill=("#f6fafc", "#17222b"), line=("#bccfda", "#263a48"), width=1),
        Style("row active", fill=("#ffffff", "#1e303d"), line=MARK, width=3),
        Style("row gone", fill=("#dde6ec", "#121a20"), line=("#c4d2db", "#1f2d38"), width=1),
        Style("player", fill=INK_TEXT, bold=True),
        Style("points", fill=INK_TEXT, bold=True),
        Style("note", fill=SOFT_TEXT),
        Style("done", fill=INK_TEXT),
        Style("now", fill=INK_TEXT, bold=True),
        Style("refused", fill=("#a8330a", "#ffa94d")),
        Style("verdict", fill=("#b03a08", "#ffa94d"), bold=True),
        Style("pip", fill=("#1864ab", "#74c0fc")),
        Style("pip-off", fill="none", line=("#9fb4c1", "#4b6373"), width=1.3),
        *(style for theme in PLAYER_THEMES for style in _player_styles(theme)),
        *CHOICE_STYLES,
    ),
    glyphs=(
        *(Glyph(f"robot-{o.role}", (Stroke("robot-shape", o.outline),)) for o in PLAYER_THEMES),
        *(Glyph(f"body-{o.role}", (Stroke("body-shape", o.outline),)) for o in PLAYER_THEMES),
        *(glyph for tile in ("rubidium", "explodium", "scrap") for glyph in _mine_glyphs(tile)),
        Glyph(
            "void", (Stroke("cloud", "M-15 7a6 6 0 0 1 2 -11a8 8 0 0 1 15 -2a7 7 0 0 1 10 13Z"),)
        ),
        Glyph(
            "rock",
            (
                Stroke("shade", polygon((-19, 13), (-4, -14), (5, 1), (11, -6), (21, 13))),
                Stroke("facet", polygon((-19, 13), (-4, -14), (-7, 0), (-11, 4), (-9, 13))),
            ),
        ),
        Glyph("cross", (Stroke("cross", "M-8 -8L8 8M8 -8L-8 8"),)),
        Glyph("blast", (Stroke("blast", star(12, 29, 18)),)),
        Glyph("spark", (Stroke("spark", star(8, 27, 15)),)),
        Glyph("lost", (Stroke("lost", "M-7 -7L7 7M7 -7L-7 7"),)),
        Glyph("shell", (Stroke("shell", "M0 -13q7.5 6 7.5 13v8h-15v-8q0 -7 7.5 -13Z"),)),
        Glyph(
            "droid",
            (
                Stroke("droid", "M-11 7v-7a11 10 0 0 1 22 0v7h-5v5h-4v-5h-4v5h-4v-5Z"),
                Stroke("eye", "M-6 -3h12v4h-12Z"),
            ),
        ),
    ),
)


def emblem(seat: int) -> tuple[Shape, ...]:
    """A robot of a player, with its number."""
    theme = PLAYER_THEMES[seat]
    return (
        Stamp("", theme.role, glyph=f"robot-{theme.role}", scale=0.9),
        Label("", f"number {theme.role}", 0, theme.drop, text=str(seat), size=19),
    )
