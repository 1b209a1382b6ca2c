"""How Hive looks: the eight bugs as drawings, and the colours of everything.

Bugs are seen from above, head up, within 50 units of (0, 0).

A bug has one colour, the ink, and is shaded with transparent black and white, so that each drawing
serves on ivory and on black tiles. Bugs are symmetric, so only right halves are written down:
`_whole` closes a right outline with its mirror image, `_both` repeats a path on the left.

Roles: `limb` and `hair` are lines in ink, `body` is filled with ink, `wing` is thin ink, `mark` is
dark, `seam` is a dark line, `shade` darkens and `shine` lightens what lies below.
"""

from __future__ import annotations

import re
from typing import Final

from agon.games.clicks import CHOICE_STYLES
from agon.games.hive.tile import SIDE_NAMES, Kind
from agon.games.shapes import INK, Glyph, Hex, Look, Shape, Stroke, Style

SEAT_NAMES = SIDE_NAMES

COLOURS: Final[dict[Kind, tuple[str, str]]] = {
    Kind.QUEEN: ("#dc9a00", "#ffc629"),
    Kind.SPIDER: ("#85451c", "#c47f4b"),
    Kind.BEETLE: ("#7b3fa6", "#b584e6"),
    Kind.GRASSHOPPER: ("#3a8a2a", "#6cc652"),
    Kind.ANT: ("#1b68bd", "#55a8fa"),
    Kind.MOSQUITO: ("#666c71", "#b9bfc4"),
    Kind.LADYBUG: ("#cc2522", "#f4564f"),
    Kind.PILLBUG: ("#0b8681", "#33c7bf"),
}
"""The traditional colour of each bug: deep for an ivory tile, bright for a black one."""

DARK = "#1d1917"

BUG_STYLES: Final[tuple[Style, ...]] = (
    Style("limb", fill="none", line=INK, width=4.6),
    Style("hair", fill="none", line=INK, width=3),
    Style("body", fill=INK),
    Style("wing", fill=INK, line=INK, width=2, opacity=0.45),
    Style("mark", fill=DARK),
    Style("seam", fill="none", line=DARK, width=2.2),
    Style("shade", fill="#000", opacity=0.25),
    Style("shine", fill="#fff", opacity=0.4),
    *(
        Style(f"{kind.name.lower()} {side}", ink=colour)
        for kind, pair in COLOURS.items()
        for side, colour in zip(("white", "black"), pair, strict=True)
    ),
)


def _both(d: str) -> str:
    """The path and its mirror image (absolute M, L, C, Q, Z only: x and y take turns)."""
    numbers = iter(range(len(d)))

    def flip(match: re.Match[str]) -> str:
        return match[0] if next(numbers) % 2 else f"{-float(match[0]):g}"

    return d + re.sub(r"-?[\d.]+", flip, d)


def _whole(right: str) -> str:
    """The closed outline of curves whose right half goes down from the axis to the axis."""
    numbers = [float(word) for word in right.split()]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    points += [(-x, y) for x, y in reversed(points[:-1])]
    curve = " ".join(f"{x:g} {y:g}" for x, y in points[1:])
    return f"M{points[0][0]:g} {points[0][1]:g}C{curve}Z"


def _oval(x: float, y: float, rx: float, ry: float) -> str:
    """An upright ellipse in four curves."""
    kx, ky = rx * 0.55, ry * 0.55
    right = f"C{x + kx:g} {y - ry:g} {x + rx:g} {y - ky:g} {x + rx:g} {y:g} "
    right += f"{x + rx:g} {y + ky:g} {x + kx:g} {y + ry:g} {x:g} {y + ry:g} "
    left = f"{x - kx:g} {y + ry:g} {x - rx:g} {y + ky:g} {x - rx:g} {y:g} "
    left += f"{x - rx:g} {y - ky:g} {x - kx:g} {y - ry:g} {x:g} {y - ry:g}Z"
    return f"M{x:g} {y - ry:g}{right}{left}"


QUEEN = Glyph(
    "queen",
    (
        Stroke("hair", _both("M6 -17L19 -24L22 -34M7 -4L20 14L22 28")),
        Stroke("wing", _both("M5 -14C16 -33 44 -41 48 -28C50 -14 26 -5 6 -7Z")),
        Stroke("wing", _both("M6 -6C22 -8 41 0 38 11C34 20 16 10 5 0Z")),
        Stroke("body", _whole("0 -5 15 -5 20 9 18 22 16 34 7 43 0 49")),
        Stroke("mark", _whole("0 8 8 8 14 6 17 4 18 7 19 10 18.8 13 12 16.5 6 17 0 17")),
        Stroke(
            "mark", _whole("0 25.5 8 25.5 14 24 18 21.5 17.5 25 17 28 15.3 30.5 10 33.5 5 34 0 34")
        ),
        Stroke("body", _oval(0, -12, 11.5, 10.5)),
        Stroke("shade", _whole("0 -5 6 -5 9 -8 11 -11 10 -4 5 -1.5 0 -1.5")),
        Stroke("hair", _both("M4 -33C5 -40 9 -44 16 -46")),
        Stroke("body", _oval(0, -28, 9.5, 7.5)),
        Stroke("mark", _both(_oval(7.2, -29, 3, 4.8))),
    ),
)

SPIDER = Glyph(
    "spider",
    (
        Stroke("limb", _both("M5 -15Q20 -24 20 -34Q20 -42 14 -49")),
        Stroke("limb", _both("M7 -12Q28 -14 34 -22Q38 -28 40 -36")),
        Stroke("limb", _both("M7 -7Q26 -8 35 0Q42 8 45 20")),
        Stroke("limb", _both("M6 -3Q22 4 28 18Q32 30 29 45")),
        Stroke("limb", _both("M3 -21Q6 -27 3 -31")),
        Stroke("body", _whole("0 -24 8 -24 11 -17 11 -11 11 -4 6 0 0 1")),
        Stroke("body", _whole("0 -2 12 -2 18 8 18 20 18 34 9 43 0 46")),
        Stroke("shade", _whole("0 6 2 10 6 13 10 14 6 16 3 19 0 24")),
        Stroke("shade", _whole("0 23 2 26 5 29 9 30 5 32 2 35 0 39")),
        Stroke("shine", _both(_oval(3.6, -18, 2.2, 2.4))),
    ),
)

BEETLE = Glyph(
    "beetle",
    (
        Stroke("limb", _both("M16 -14L32 -20L38 -34M20 6L38 6L46 18M18 24L33 32L35 47")),
        Stroke("limb", _both("M5 -32C16 -34 19 -42 11 -49")),
        Stroke("body", _whole("0 -38 8 -38 11 -33 10 -27 6 -24 3 -24 0 -24")),
        Stroke("body", _whole("0 -29 10 -29 20 -26 20 -14 14 -9 6 -8 0 -8")),
        Stroke("shade", _whole("0 -12 8 -12 14 -14 20 -17 20 -15 20 -14 20 -14 14 -9 6 -8 0 -8")),
        Stroke("body", _whole("0 -7 10 -7 18 -9 22 -9 27 2 26 22 20 34 14 43 6 47 0 47")),
        Stroke("shine", "M-16 -3C-20 6 -20 18 -17 26C-14 18 -13 6 -11 -4Z"),
        Stroke("seam", "M0 -6L0 46"),
        Stroke("seam", "M-21 -9C-12 -6 12 -6 21 -9"),
    ),
)

GRASSHOPPER = Glyph(
    "grasshopper",
    (
        Stroke("hair", _both("M3 -36C8 -43 13 -46 22 -46")),
        Stroke("hair", _both("M6 -22L20 -26L25 -37M6 -12L22 -10L30 -18")),
        Stroke("limb", _both("M36 -7L27 32L34 45")),
        Stroke("body", _both("M4 4C14 -8 28 -16 36 -12C40 -9 40 -4 35 -2C26 0 14 10 6 18Z")),
        Stroke("body", _whole("0 -41 7 -41 9 -34 8 -27 9 -20 10 -14 9 -8 12 4 10 32 0 49")),
        Stroke("shade", _whole("0 -27 4 -27 7 -27 8.2 -28 9 -20 10 -14 9 -8 6 -7 3 -7 0 -7")),
        Stroke("seam", "M0 -6L0 46"),
        Stroke("mark", _both(_oval(6.2, -34, 2.8, 4))),
    ),
)

ANT = Glyph(
    "ant",
    (
        Stroke("limb", _both("M4 -13L22 -22L30 -38M5 -7L26 -4L40 8M4 -1L20 14L27 36")),
        Stroke("hair", _both("M5 -36L16 -38L21 -46")),
        Stroke("hair", _both("M4 -42Q8 -47 2 -49")),
        Stroke("body", _whole("0 -44 8 -44 12 -36 11 -30 9 -23 4 -21 0 -21")),
        Stroke("body", _whole("0 -22 6 -22 7 -15 6 -9 5 -3 4 2 0 3")),
        Stroke("body", _oval(0, 6, 4, 5)),
        Stroke("body", _whole("0 9 11 9 16 18 16 27 16 38 8 46 0 49")),
        Stroke("shine", "M-8 18C-12 24 -11 32 -8 37C-8 30 -7 24 -4 17Z"),
        Stroke("shade", _whole("0 38 6 38 10 36 14 33 12 42 6 46 0 49")),
        Stroke("mark", _both(_oval(7, -34, 2.2, 3.2))),
    ),
)

MOSQUITO = Glyph(
    "mosquito",
    (
        Stroke("hair", _both("M4 -14L24 -22L29 -35L39 -41M5 -9L30 -6L43 -18L48 -16")),
        Stroke("hair", _both("M4 -4L26 8L37 30L45 37")),
        Stroke("wing", _both("M4 -9C14 -8 30 14 28 32C26 44 12 26 4 0Z")),
        Stroke("hair", _both("M3 -26C8 -30 10 -36 10 -42")),
        Stroke("hair", "M0 -28L0 -50"),
        Stroke("body", _oval(0, -25, 5.6, 6)),
        Stroke("body", _oval(0, -10, 8.5, 10.5)),
        Stroke("body", _whole("0 -4 5 -4 6 6 5.5 20 5 32 3 42 0 47")),
        Stroke("seam", "M-5 10L5 10M-5 19L5 19M-5 28L5 28M-4 36L4 36"),
        Stroke("mark", _both(_oval(3.8, -26, 2, 3))),
    ),
)

LADYBUG = Glyph(
    "ladybug",
    (
        Stroke("limb", _both("M20 -18L34 -26M28 6L44 6M22 26L35 36")),
        Stroke("hair", _both("M5 -36C7 -42 11 -46 17 -47")),
        Stroke("body", _whole("0 -41 13 -41 20 -34 20 -24 14 -18 6 -16 0 -16")),
        Stroke("mark", _whole("0 -38 11 -38 17 -32 17 -24 12 -18 6 -16 0 -16")),
        Stroke("shine", _both(_oval(9, -29, 3.4, 3.8))),
        Stroke("body", _whole("0 -24 18 -24 33 -12 33 9 33 32 18 45 0 45")),
        Stroke("seam", "M0 -22L0 44"),
        Stroke("mark", _whole("0 -23 4 -23 6 -21 6 -18 6 -14 3 -11 0 -9")),
        Stroke("mark", _both(_oval(16, -7, 5.4, 5.8))),
        Stroke("mark", _both(_oval(20, 14, 5.6, 6))),
        Stroke("mark", _both(_oval(10, 31, 5, 5.2))),
        Stroke("shine", "M-24 -4C-19 -14 -12 -18 -6 -20C-16 -12 -20 -8 -24 -4Z"),
    ),
)

PILLBUG = Glyph(
    "pillbug",
    (
        Stroke("hair", _both("M19 -22L31 -28M24 -11L37 -15M26 1L40 1M25 13L38 17M21 24L33 31")),
        Stroke("hair", _both("M6 -36L15 -41L20 -49")),
        Stroke("body", _whole("0 -43 7 -43 11 -38 12 -32 8 -28 4 -28 0 -28")),
        Stroke("body", _whole("0 -34 16 -34 27 -18 27 2 27 24 16 44 0 46")),
        Stroke("seam", _both("M0 -24C10 -24 17 -22 22 -18M0 -14C11 -14 20 -11 26 -7")),
        Stroke("seam", _both("M0 -4C11 -4 21 -1 27 4M0 7C11 7 20 10 26 15")),
        Stroke("seam", _both("M0 18C10 18 18 21 23 26M0 29C7 29 13 31 17 36")),
        Stroke("shine", "M-12 -26C-20 -18 -22 -8 -21 4C-17 -6 -14 -14 -8 -28Z"),
        Stroke("mark", _both(_oval(7, -36, 2, 2.6))),
    ),
)

BUGS: Final[tuple[Glyph, ...]] = (
    QUEEN,
    SPIDER,
    BEETLE,
    GRASSHOPPER,
    ANT,
    MOSQUITO,
    LADYBUG,
    PILLBUG,
)
"""The drawings, in the order of `Kind`; a drawing has its kind's name in small letters."""

LOOK = Look(
    "hive",
    (
        Style("table", fill=("#d4d8cf", "#30373a")),
        Style("headline", fill=("#2b2722", "#f1ebdd"), bold=True),
        Style("tray", fill=("#e6e8e1", "#262c2e"), line=("#bdc2b6", "#3d4649"), width=1.5),
        Style("tray active", line=("#e06a00", "#ff9a3d"), width=3),
        Style("name", fill=("#2b2722", "#f1ebdd"), bold=True),
        Style("count", fill=("#5b564c", "#b9b8b0"), bold=True),
        Style("slot", fill="none", line=("#b4b9ad", "#4a5457"), width=2, dash="5 6"),
        Style("token white", fill="#f6eed8", line="#b7a983", width=1.5),
        Style("token black", fill="#23201f", line="#6b645d", width=1.5),
        Style("shadow", fill="#000", opacity=0.2),
        Style("wall white", fill="#c6b58a"),
        Style("face white", fill="#f6eed8"),
        Style("rim white", fill="none", line="#fffdf4", width=2),
        Style("wall black", fill=("#0b0a0a", "#060606"), line=("#4d4742", "#6a635c"), width=1),
        Style("face black", fill="#262322", line=("#3d3835", "#6d665f"), width=1),
        Style("rim black", fill="none", line=("#45403d", "#4d4743"), width=2),
        Style("number white", fill="#7d7050", bold=True),
        Style("number black", fill="#b9b2a6", bold=True),
        Style("letter", fill=INK, bold=True),
        Style("badge", fill=("#4a443b", "#f1ebdd"), line=("#fffaf0", "#1b1d1e"), width=1.5),
        Style("height", fill=("#fffaf0", "#1b1d1e"), bold=True),
        Style("last-origin", fill="none", line=("#e06a00", "#ff9a3d"), width=3, dash="2 8"),
        Style("last-target", fill="none", line=("#f07800", "#ff9a3d"), width=4.5),
        Style("last-trace", fill="none", line=("#e06a00", "#ff9a3d"), width=4.5, dash="0.1 9"),
        Style("last-head", fill=("#e06a00", "#ff9a3d"), line=("#e06a00", "#ff9a3d"), width=3),
        Style("closed", fill="none", line="#e3342b", width=5),
        Style("pip", fill=("#c9cdc3", "#414a4d")),
        Style("pip taken", fill=("#d2342b", "#ff5a4f")),
        *CHOICE_STYLES,
        *BUG_STYLES,
    ),
    BUGS,
)


def emblem(seat: int) -> tuple[Shape, ...]:
    """A tile without a bug."""
    side = SEAT_NAMES[seat].lower()
    return (
        Hex("", f"face {side}", size=20, corner=4),
        Hex("", f"rim {side}", size=16, corner=3),
    )
