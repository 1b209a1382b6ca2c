"""The board as people give it: fields by coordinate, segments, and each seat's stones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import SettingError
from agon.games.atlantis.board import MAX_PLAYERS, MAX_STONES

if TYPE_CHECKING:
    from collections.abc import Mapping

Coordinate: TypeAlias = tuple[int, int]

STEPS = ((1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1))
"""R1: the six directions, clockwise from the one above."""


@dataclass(frozen=True, slots=True)
class Board:
    """A starting board: the fields of each segment, and each seat's stones.

    Stones are positive on an open field, negative on a growing one; 0 is a dead field that was the
    seat's.
    """

    segments: tuple[tuple[Coordinate, ...], ...]
    stacks: tuple[Mapping[Coordinate, int], ...]

    def field_numbers(self) -> dict[Coordinate, int]:
        """The number of each field in the records: from 1, segment by segment."""
        fields = (field for segment in self.segments for field in segment)
        return {field: number for number, field in enumerate(fields, 1)}


def neighbour(field: Coordinate, direction: int) -> Coordinate:
    """R1: the place next to a field."""
    dx, dy = STEPS[direction]
    return field[0] + dx, field[1] + dy


def check_board(board: Board) -> None:
    """Raise SettingError if the board does not hold."""
    if not 2 <= len(board.stacks) <= MAX_PLAYERS:
        raise SettingError(f"{len(board.stacks)} players: expected 2 to {MAX_PLAYERS}")
    seen: set[Coordinate] = set()
    for field in (field for segment in board.segments for field in segment):
        if field in seen:
            raise SettingError(f"field {field} is in two places: expected one segment for each")
        seen.add(field)
    if not board.segments or not all(board.segments):
        raise SettingError("a board or segment without fields: expected at least one")
    taken: set[Coordinate] = set()
    for field, stones in (item for stacks in board.stacks for item in stacks.items()):
        if field not in seen:
            raise SettingError(f"stones on {field}: there is no such field on the board")
        if field in taken:
            raise SettingError(f"field {field} has stones of two players: expected one")
        if abs(stones) > MAX_STONES:
            raise SettingError(f"{stones} stones on {field}: expected at most {MAX_STONES}")
        taken.add(field)
