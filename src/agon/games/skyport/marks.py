"""Hexes to click, on top of a picture, and what one knows of a map before one clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.shapes import Path, Stamp
from agon.games.skyport.belief import find_mines
from agon.games.skyport.board import SECOND_UNIT, STEPS
from agon.games.skyport.look import HEX, ROOT3, middle
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.scene import fit_map

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agon.games.shapes import Shape
    from agon.games.skyport.mapfile import Place

GAP = 2.0  # between what is lit and the edge of its hex
WALKED = "GREC"  # R8, R14: the tiles on which robots and droids go, and shells explode
SEEN_THROUGH = "GRECVS"  # R12


def as_known(position: SkyportPosition, seat: int) -> SkyportPosition:
    """The position as far as the seat can know it (R10): others have no units, mines are full."""
    state = position.copy_state()
    own = state["units"][seat].tolist()
    state["units"] = 0
    state["units"][seat] = own
    state["random"] = 0
    state["cells"][find_mines(state)] |= SECOND_UNIT
    return SkyportPosition(
        position.options,
        position.map,
        position.seed,
        state,
        position.out,
        position.last_turns,
        position.deeds,
    )


def beyond(place: Place, direction: int) -> Place:
    """The next hex in a direction, which may be off the map."""
    j, k = STEPS[direction]
    return place[0] + j, place[1] + k


def letter_at(position: SkyportPosition, place: Place) -> str:
    """The tile of a hex; an empty text off the map."""
    side = range(position.map.side)
    return position.tile(place) if place[0] in side and place[1] in side else ""


def ray(position: SkyportPosition, place: Place, direction: int, reach: int) -> Iterator[Place]:
    """R12: the hexes that a laser goes through."""
    for _ in range(reach):
        place = beyond(place, direction)
        letter = letter_at(position, place)
        if not letter or letter not in SEEN_THROUGH:
            return
        yield place


def light(
    position: SkyportPosition, name: str, role: str, places: Iterable[Place], tip: str = ""
) -> Shape:
    """Some hexes as one shape."""
    fit = fit_map(position.map.side)
    size = (HEX - GAP) * fit.scale
    half, high = size / 2, size * ROOT3 / 2
    steps = []
    for place in places:
        x, y = middle(place)
        x, y = fit.x + fit.scale * x, fit.y + fit.scale * y
        left = f"l{-half:.1f} {high:.1f}h{-size:.1f}l{-half:.1f} {-high:.1f}"
        steps.append(f"M{x + size:.1f} {y:.1f}{left}l{half:.1f} {-high:.1f}h{size:.1f}Z")
    return Path(name, role, d="".join(steps), tip=tip)


def droid_at(position: SkyportPosition, place: Place) -> Shape:
    """A droid that is being led."""
    fit = fit_map(position.map.side)
    x, y = middle(place)
    scale = 1.3 * fit.scale * fit.robot
    return Stamp(
        "droid", "droid", fit.x + fit.scale * x, fit.y + fit.scale * y, glyph="droid", scale=scale
    )
