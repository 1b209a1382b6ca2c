"""Colours that documents give to players: SVG's names, read, told apart, and put into words.

How far colours are apart is measured in OKLab, where equal distances look equally large; L is the
lightness, 0 for black and 1 for white.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import dist
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Lab: TypeAlias = tuple[float, float, float]

HEX = re.compile("#(?:[0-9a-f]{3}|[0-9a-f]{6})")
APART = 0.11
"""Two players' colours are at least as far apart as this."""
STEPS = tuple(0.07 * step for step in range(1, 11))
"""Lightness that is added or taken until a colour is apart from the others."""
DARKEST, LIGHTEST = 0.12, 0.97


def read_colour(said: object) -> str | None:
    """A colour as `#rrggbb`; None for what SVG has no such name for.

    >>> read_colour("Teal"), read_colour("#F80"), read_colour("reddish")
    ('#008080', '#ff8800', None)
    """
    if not isinstance(said, str):
        return None
    text = said.strip().lower()
    if HEX.fullmatch(text):
        return text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])
    return SVG_COLOURS.get(text)


@lru_cache(512)
def to_lab(colour: str) -> Lab:
    """A colour `#rrggbb` in OKLab."""
    r, g, b = (_to_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def from_lab(lab: Lab) -> str:
    """The colour `#rrggbb` that a screen shows for it."""
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _from_linear(part)):02x}" for part in parts)


def _to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _from_linear(part: float) -> float:
    part = min(1.0, max(0.0, part))
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def with_lightness(colour: str, least: float = 0.0, most: float = 1.0) -> str:
    """The colour itself, or a lighter or darker one within these bounds.

    >>> with_lightness("#14509f", 0.2, 0.8)
    '#14509f'
    """
    lightness, a, b = to_lab(colour)
    wanted = min(most, max(least, lightness))
    return colour if wanted == lightness else from_lab((wanted, a, b))


def is_bright(colour: str) -> bool:
    """Whether dark signs can be read on it better than white ones."""
    return to_lab(colour)[0] > 0.62


def distance(colour: str, others: Iterable[str]) -> float:
    """How far it is from the nearest of the others."""
    return min((dist(to_lab(colour), to_lab(other)) for other in others), default=9.0)


def move_apart(
    colour: str, others: Sequence[str], spare: Iterable[str] = (), darkest: float = DARKEST
) -> str:
    """The colour, if it can be told from the others, or else one lighter or darker than it.

    Where there is none left, it is one of the spare ones.
    """
    tried = [colour, *_variants(colour, darkest), *spare]
    found = (one for one in tried if distance(one, others) >= APART)
    return next(found, None) or max(tried, key=lambda one: distance(one, others))


def _variants(colour: str, darkest: float) -> Iterator[str]:
    lightness, a, b = to_lab(colour)
    for step in STEPS:
        for moved in (lightness - step, lightness + step):
            if darkest <= moved <= LIGHTEST:
                yield from_lab((moved, a, b))


def name_colour(colour: str, taken: Iterable[str] = ()) -> str:
    """The nearest of SVG's names that is not taken.

    >>> name_colour("#fe0101"), name_colour("#ff0000", ["red"])
    ('red', 'orangered')
    """
    free = SVG_COLOURS.keys() - set(taken)
    return min(sorted(free), key=lambda name: distance(colour, [SVG_COLOURS[name]]))


SVG_COLOURS = {
    name: f"#{digits}"
    for name, digits in (
        pair.split()
        for pair in """
aliceblue f0f8ff,antiquewhite faebd7,aqua 00ffff,aquamarine 7fffd4,azure f0ffff,beige f5f5dc,
bisque ffe4c4,black 000000,blanchedalmond ffebcd,blue 0000ff,blueviolet 8a2be2,brown a52a2a,
burlywood deb887,cadetblue 5f9ea0,chartreuse 7fff00,chocolate d2691e,coral ff7f50,
cornflowerblue 6495ed,cornsilk fff8dc,crimson dc143c,cyan 00ffff,darkblue 00008b,darkcyan 008b8b,
darkgoldenrod b8860b,darkgray a9a9a9,darkgreen 006400,darkgrey a9a9a9,darkkhaki bdb76b,
darkmagenta 8b008b,darkolivegreen 556b2f,darkorange ff8c00,darkorchid 9932cc,darkred 8b0000,
darksalmon e9967a,darkseagreen 8fbc8f,darkslateblue 483d8b,darkslategray 2f4f4f,
darkslategrey 2f4f4f,darkturquoise 00ced1,darkviolet 9400d3,deeppink ff1493,deepskyblue 00bfff,
dimgray 696969,dimgrey 696969,dodgerblue 1e90ff,firebrick b22222,floralwhite fffaf0,
forestgreen 228b22,fuchsia ff00ff,gainsboro dcdcdc,ghostwhite f8f8ff,gold ffd700,goldenrod daa520,
gray 808080,green 008000,greenyellow adff2f,grey 808080,honeydew f0fff0,hotpink ff69b4,
indianred cd5c5c,indigo 4b0082,ivory fffff0,khaki f0e68c,lavender e6e6fa,lavenderblush fff0f5,
lawngreen 7cfc00,lemonchiffon fffacd,lightblue add8e6,lightcoral f08080,lightcyan e0ffff,
lightgoldenrodyellow fafad2,lightgray d3d3d3,lightgreen 90ee90,lightgrey d3d3d3,lightpink ffb6c1,
lightsalmon ffa07a,lightseagreen 20b2aa,lightskyblue 87cefa,lightslategray 778899,
lightslategrey 778899,lightsteelblue b0c4de,lightyellow ffffe0,lime 00ff00,limegreen 32cd32,
linen faf0e6,magenta ff00ff,maroon 800000,mediumaquamarine 66cdaa,mediumblue 0000cd,
mediumorchid ba55d3,mediumpurple 9370db,mediumseagreen 3cb371,mediumslateblue 7b68ee,
mediumspringgreen 00fa9a,mediumturquoise 48d1cc,mediumvioletred c71585,midnightblue 191970,
mintcream f5fffa,mistyrose ffe4e1,moccasin ffe4b5,navajowhite ffdead,navy 000080,oldlace fdf5e6,
olive 808000,olivedrab 6b8e23,orange ffa500,orangered ff4500,orchid da70d6,palegoldenrod eee8aa,
palegreen 98fb98,paleturquoise afeeee,palevioletred db7093,papayawhip ffefd5,peachpuff ffdab9,
peru cd853f,pink ffc0cb,plum dda0dd,powderblue b0e0e6,purple 800080,red ff0000,rosybrown bc8f8f,
royalblue 4169e1,saddlebrown 8b4513,salmon fa8072,sandybrown f4a460,seagreen 2e8b57,
seashell fff5ee,sienna a0522d,silver c0c0c0,skyblue 87ceeb,slateblue 6a5acd,slategray 708090,
slategrey 708090,snow fffafa,springgreen 00ff7f,steelblue 4682b4,tan d2b48c,teal 008080,
thistle d8bfd8,tomato ff6347,turquoise 40e0d0,violet ee82ee,wheat f5deb3,white ffffff,
whitesmoke f5f5f5,yellow ffff00,yellowgreen 9acd32""".replace("\n", "").split(",")
    )
}
"""The names of SVG 1.1."""
