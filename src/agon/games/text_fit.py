"""Text that fits: how wide it is, about, in pictures and in terminals, and how it is made shorter.

Nothing here knows which font a reader has. Widths are those of a wide and bold one, so what fits by
them fits everywhere; text of people's own (names) is cut where it would not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from agon.games.shapes import Anchor, Label

ELLIPSIS = "…"
NARROW, USUAL, CAPITAL, WIDE, FOREIGN = 0.52, 0.73, 0.87, 1.12, 1.4
"""Widths of characters, for text of size 1."""
THIN = frozenset(" !\"'()*,-./:;I[\\]`fijlrt|_J")
FAT = frozenset("%@MW&mw#+<=>^~…")
NEAR_SCRIPTS_END = 0x700
"""Latin with accents, Greek, Cyrillic, Hebrew, Arabic: what nearly every font has."""
VERSION = re.compile(r"@[0-9]{1,6}$")
SMALLEST = 0.78
"""By so much a label may shrink before it is cut."""
NO_CELL = frozenset({"Mn", "Me", "Cf"})


@lru_cache(maxsize=4096)
def _width(character: str) -> float:
    if character in THIN:
        return NARROW
    if character in FAT:
        return WIDE
    if unicodedata.category(character) in NO_CELL:
        return 0.0
    if character.isascii():
        return CAPITAL if character.isupper() else USUAL
    is_near = ord(character) < NEAR_SCRIPTS_END and not character.isupper()
    return WIDE if is_near or unicodedata.east_asian_width(character) in "WF" else FOREIGN


def text_width(text: str, size: float) -> float:
    """How wide the text is in a picture, at the most.

    >>> text_width("search", 10) < text_width("SEARCH", 10) < text_width("MMMMMM", 10)
    True
    """
    return size * sum(map(_width, text))


def cell_width(text: str) -> int:
    """How many columns of a terminal the text takes.

    >>> cell_width("ab"), cell_width("漢字")
    (2, 4)
    """
    return sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.category(character) in NO_CELL:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit_text(text: str, size: float, room: float) -> str:
    """The text, or as much of it as has room in a picture; a version at its end stays.

    >>> fit_text("search", 10, 100), fit_text("a-rather-long-name@12", 10, 100)
    ('search', 'a-rather-l…@12')
    """
    return _cut(text, tuple(size * _width(character) for character in text), room, size * WIDE)


def fit_cells(text: str, cells: int) -> str:
    """The text, or as much of it as has room in so many columns; a version at its end stays.

    >>> fit_cells("a-rather-long-name@12", 10), fit_cells("漢字漢字", 5)
    ('a-rath…@12', '漢字…')
    """
    return _cut(text, tuple(map(_cells, text)), cells, 1)


def fit_column(text: str, cells: int) -> str:
    """The same, filled up with blanks.

    >>> fit_column("ada", 5)
    'ada  '
    """
    shown = fit_cells(text, cells)
    return shown + " " * (cells - cell_width(shown))


def wrap_cells(text: str, cells: int) -> list[str]:
    """The text in lines of so many columns; a word that is longer goes on in the next line.

    >>> wrap_cells("Turn 3: 漢字 (Red) to move", 12)
    ['Turn 3: 漢字', '(Red) to', 'move']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and cell_width(lines[-1]) + 1 + cell_width(word) <= cells:
            lines[-1] += f" {word}"
            continue
        lines.append("")
        for character in word:
            if lines[-1] and cell_width(lines[-1]) + _cells(character) > cells:
                lines.append("")
            lines[-1] += character
    return lines


def _cut(text: str, widths: tuple[float, ...], room: float, dots: float) -> str:
    if sum(widths) <= room:
        return text
    found = VERSION.search(text)
    end = found.start() if found else len(text)
    left = room - dots - sum(widths[end:])
    if left < 0:  # not even the version has room
        end, left = len(text), room - dots
    kept = 0
    while kept < end and widths[kept] <= left:
        left -= widths[kept]
        kept += 1
    return f"{text[:kept].rstrip()}{ELLIPSIS}{text[end:]}" if room >= dots else ""


def fit_label(
    id_: str,
    role: str,
    x: float,
    y: float,
    *,
    text: str,
    size: float,
    room: float,
    anchor: Anchor = Anchor.START,
    tip: str = "",
) -> Label:
    """A label that is no wider than its room: a little smaller if need be, and then cut."""
    fitting = size * min(1.0, room / max(text_width(text, size), 1.0))
    chosen = round(max(fitting, SMALLEST * size), 2)
    shown = fit_text(text, chosen, room) if fitting < SMALLEST * size else text
    return Label(id_, role, x, y, text=shown, size=chosen, anchor=anchor, tip=tip)
