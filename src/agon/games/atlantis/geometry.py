"""From a board as people give it to the numbers that the kernels work on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from agon.errors import SettingError
from agon.games.atlantis.board import (
    DEAD,
    GROWING,
    MAX_PLAYERS,
    MAX_STONES,
    NO_OWNER,
    OPEN,
    SEA,
    TIERS,
    setup_dtype,
    state_dtype,
    work_dtype,
)
from agon.games.atlantis.rules import appraise, start
from agon.kernel import new_records

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from agon.kernel import Record

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


@dataclass(frozen=True, slots=True)
class Records:
    """The types of the records that hold a board: those of its tier."""

    setup: np.dtype[Any]
    state: np.dtype[Any]
    work: np.dtype[Any]


def records_for(board: Board) -> Records:
    """The smallest records that hold the board."""
    fields = sum(map(len, board.segments))
    for tier in TIERS:
        if fields <= tier:
            return Records(setup_dtype(tier), state_dtype(tier), work_dtype(tier))
    raise SettingError(f"a board of {fields} fields: expected at most {TIERS[-1]}")


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


def build_setup(board: Board) -> Any:
    """The setup of a match: an array of one record, whose type is that of the board's tier."""
    check_board(board)
    records = records_for(board)
    setups = new_records(records.setup)
    setup = setups[0]
    _fill_geometry(setup, board)
    _fill_position(setup, board)
    state, work = new_records(records.state)[0], new_records(records.work)[0]
    start(setup, state, 0)
    appraise(setup, state, work)
    for name in ("over", "asked", "score"):
        setup[name] = state[name]
    return setups


def _fill_geometry(setup: Record, board: Board) -> None:
    """R1, R3: segments and neighbours."""
    numbers = board.field_numbers()
    setup.fields = len(numbers)
    setup.segments = len(board.segments)
    setup.players = len(board.stacks)
    ends = accumulate(map(len, board.segments), initial=1)
    for segment, first in enumerate(ends):
        setup.first_field[segment] = first
    for segment, fields in enumerate(board.segments):
        for field in fields:
            number = numbers[field]
            setup.segment[number] = segment
            for direction in range(len(STEPS)):
                other = neighbour(field, direction)
                setup.neighbour[number, direction] = numbers.get(other, SEA)


def _fill_position(setup: Record, board: Board) -> None:
    """R2: kinds, owners and stones, and what `explosion.explode` keeps up to date."""
    numbers = board.field_numbers()
    setup.kind[:] = DEAD
    setup.owner[:] = NO_OWNER
    setup.kind[1 : len(numbers) + 1] = OPEN
    for seat, stacks in enumerate(board.stacks):
        for field, stones in stacks.items():
            number = numbers[field]
            setup.owner[number] = seat
            setup.stones[number] = abs(stones)
            if stones <= 0:
                setup.kind[number] = GROWING if stones < 0 else DEAD
    is_open = setup.kind == OPEN
    setup.open_around[:] = is_open[setup.neighbour].sum(axis=1)
    setup.touching = setup.open_around[setup.kind == GROWING].sum()
