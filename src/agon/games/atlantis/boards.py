"""The usual starting boards: shapes made of standard segments, a corner segment for each player.

The centres of standard segments that fill the plane form a grid of their own, turned a little
against that of the fields (R1, R3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from agon.errors import SettingError
from agon.games.atlantis.geometry import STEPS, Board, Coordinate

if TYPE_CHECKING:
    from collections.abc import Callable

UP, RIGHT = (1, 3), (3, 2)  # from one segment to the next, in directions a sixth of a turn apart

Places: TypeAlias = list[tuple[int, int]]  # segments as (i, j): i times UP and j times RIGHT
MAX_SIZE = 24


def triangle(size: int) -> tuple[Places, Places]:
    """All segments of a triangle, and its corners in order."""
    n = size - 1
    return [(i, j) for i in range(size) for j in range(size - i)], [(0, 0), (n, 0), (0, n)]


def hexagon(size: int) -> tuple[Places, Places]:
    """All segments of a hexagon, and its corners in order."""
    n = size - 1
    across = range(-n, n + 1)
    places = [(i, j) for i in across for j in across if abs(i + j) <= n]
    return places, [(n, 0), (0, n), (-n, n), (-n, 0), (0, -n), (n, -n)]


def rhombus(size: int) -> tuple[Places, Places]:
    """All segments of a rhombus, and its corners in order, an acute one first."""
    n = size - 1
    return [(i, j) for i in range(size) for j in range(size)], [(0, 0), (n, 0), (n, n), (0, n)]


SHAPES: dict[str, Callable[[int], tuple[Places, Places]]] = {
    "triangle": triangle,
    "hexagon": hexagon,
    "rhombus": rhombus,
}
FAIR_CORNERS = {
    ("hexagon", 2): (0, 3),
    ("hexagon", 3): (0, 2, 4),
    ("hexagon", 4): (0, 1, 3, 4),
    ("rhombus", 2): (0, 2),
}
"""Which corners are taken, where it is not simply the first ones."""


def standard_segment(centre: Coordinate) -> tuple[Coordinate, ...]:
    """R3: a field and its six neighbours, in the order of their coordinates."""
    x, y = centre
    return tuple(sorted([centre, *((x + dx, y + dy) for dx, dy in STEPS)]))


def standard_board(shape: str, size: int, players: int) -> Board:
    """A board of standard segments; each player has a stone on every field of a corner segment.

    >>> sum(map(len, standard_board("triangle", 6, 2).segments))
    147
    """
    if shape not in SHAPES:
        raise SettingError(f"board {shape!r}: expected one of {', '.join(SHAPES)}")
    if not 2 <= size <= MAX_SIZE:
        raise SettingError(f"{shape} of size {size}: expected 2 to {MAX_SIZE}")
    places, corners = SHAPES[shape](size)
    if not 2 <= players <= len(corners):
        raise SettingError(f"{players} players on a {shape}: expected 2 to {len(corners)}")
    centres = {place: _centre(place) for place in places}
    left = min(x for x, _ in centres.values()) - 2
    low = min(y for _, y in centres.values()) - 2
    segments = {place: standard_segment((x - left, y - low)) for place, (x, y) in centres.items()}
    taken = FAIR_CORNERS.get((shape, players), range(players))
    stacks = tuple(dict.fromkeys(segments[corners[corner]], 1) for corner in taken)
    return Board(tuple(sorted(segments.values())), stacks)


def _centre(place: tuple[int, int]) -> Coordinate:
    i, j = place
    return i * UP[0] + j * RIGHT[0], i * UP[1] + j * RIGHT[1]
