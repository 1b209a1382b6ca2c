"""From a board to the records that the rules work on."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import SettingError
from agon.games.atlantis.board import (
    DEAD,
    GROWING,
    NO_OWNER,
    OPEN,
    SEA,
    TIERS,
    TO_BE_SURVEYED,
    put_in,
    setup_dtype,
    state_dtype,
    work_dtype,
)
from agon.games.atlantis.geometry import STEPS, check_board, neighbour
from agon.games.atlantis.rules import appraise, start
from agon.games.record_types import RecordTypes
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.atlantis.geometry import Board
    from agon.kernel import IntArray, Record


def records_for(board: Board) -> RecordTypes:
    """The smallest records that hold the board."""
    fields = sum(map(len, board.segments))
    for tier in TIERS:
        if fields <= tier:
            return RecordTypes(setup_dtype(tier), state_dtype(tier), work_dtype(tier))
    raise SettingError(f"a board of {fields} fields: expected at most {TIERS[-1]}")


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
    for name in ("areas", "over", "asked", "score"):
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
    """R2: kinds, owners and stones, and what the rules keep up to date."""
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
    setup.areas = TO_BE_SURVEYED
    _fill_set(setup.open, is_open)
    for seat in range(len(board.stacks)):
        own = setup.owner == seat
        _fill_set(setup.stacks[seat], own & is_open)
        _fill_set(setup.growing[seat], own & (setup.kind == GROWING))


def _fill_set(fields: IntArray, members: IntArray) -> None:
    for field in np.flatnonzero(members).tolist():
        put_in(fields, field)
