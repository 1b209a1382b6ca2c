"""The option `deal`: walls, hands and the order of the pile as given, not by chance.

    walls 0,1 2,2 | hand 0,0 1,2 | hand 1,1 | pile 2,0 1,0

A hand for each seat in order, of up to six tiles; `pile` has the tiles that are drawn first, in
order. Tiles that are not named are in the pile too, below those, and are drawn by chance (R3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from agon.errors import SettingError
from agon.games.mebipenny.board import HAND, SEATS

TILE = re.compile(r"([0-9]{1,4}),([0-9]{1,4})", re.ASCII)
BETWEEN = " | "
EXPECTED = "expected parts such as walls 0,1 | hand 2,2 | hand 3,14 | pile 1,1"


@dataclass(frozen=True, slots=True)
class Deal:
    """Tiles by their numbers, row * cols + col."""

    walls: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    """Those drawn first, in order."""


def tidy_deal(text: str) -> str:
    """The same deal with single blanks.

    >>> tidy_deal("hand 0,0|hand  1,1 |pile")
    'hand 0,0 | hand 1,1 | pile'
    """
    return BETWEEN.join(" ".join(part.split()) for part in text.split("|"))


@lru_cache(16)
def parse_deal(text: str, rows: int, cols: int) -> Deal:
    """Read a deal for a board of this size; SettingError says what is wrong with it."""
    parts: dict[str, list[tuple[int, ...]]] = {"walls": [], "hand": [], "pile": []}
    for part in text.split("|"):
        name, *tiles = part.split() or [""]
        if name not in parts:
            raise SettingError(f"deal {part.strip()[:40]!r}: {EXPECTED}")
        parts[name].append(tuple(_parse_tile(tile, rows, cols) for tile in tiles))
    hands = tuple(parts["hand"])
    if not 2 <= len(hands) <= SEATS:
        raise SettingError(f"deal of {len(hands)} hands: expected 2 to {SEATS}")
    for seat, hand in enumerate(hands):
        if len(hand) > HAND:
            raise SettingError(f"deal: hand {seat} has {len(hand)} tiles: expected at most {HAND}")
    for name in ("walls", "pile"):
        if len(parts[name]) > 1:
            raise SettingError(f"deal: {name} is there {len(parts[name])} times: expected once")
    (walls,), (pile,) = parts["walls"] or [()], parts["pile"] or [()]
    seen: set[int] = set()
    for tile in chain(walls, *hands, pile):
        if tile in seen:
            row, col = divmod(tile, cols)
            raise SettingError(f"deal: tile {row},{col} is there twice: expected once")
        seen.add(tile)
    return Deal(walls, hands, pile)


def _parse_tile(text: str, rows: int, cols: int) -> int:
    found = TILE.fullmatch(text)
    if found is None:
        raise SettingError(f"deal: tile {text[:40]!r}: expected row,col such as 3,14")
    row, col = map(int, found.groups())
    if row >= rows or col >= cols:
        raise SettingError(
            f"deal: tile {text}: expected one on the board, which has {rows} rows"
            f" and {cols} columns"
        )
    return row * cols + col
