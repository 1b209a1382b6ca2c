"""What is fixed for a match: the board, and its fields by their numbers in the records."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agon.games.atlantis.board import SEA, direction_of, source_of, stones_of
from agon.games.atlantis.notation import format_coordinate
from agon.games.atlantis.setup import build_setup, records_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.atlantis.game import AtlantisOptions
    from agon.games.atlantis.geometry import Board, Coordinate
    from agon.games.record_types import RecordTypes
    from agon.kernel import Record

MATCHES_AT_ONCE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The board; what goes by numbers has the sea at 0."""

    board: Board
    records: RecordTypes
    setup: Record
    coordinates: tuple[Coordinate, ...]
    numbers: Mapping[Coordinate, int]
    names: tuple[str, ...]
    segments: tuple[int, ...]
    colours: tuple[str, ...] = ()
    """What a document says of the players' colours, by seat; nothing, or as many as seats."""

    def target_of(self, move: int) -> int:
        """The field where a move ends."""
        field = source_of(move)
        for _ in range(stones_of(move)):
            field = int(self.setup["neighbour"][field, direction_of(move)])
            if field == SEA:
                break
        return field


@functools.lru_cache(MATCHES_AT_ONCE)
def survey_ground(options: AtlantisOptions, seats: int | None) -> Ground:
    """The ground of a match with these options, for so many seats; 0: a board to look at."""
    board = options.find_board(seats)
    settled = board if board.stacks else replace(board, stacks=({}, {}))
    setup = build_setup(settled)[0]
    numbers = board.field_numbers()
    coordinates = ((0, 0), *numbers)
    return Ground(
        board,
        records_for(settled),
        setup,
        coordinates,
        numbers,
        ("", *map(format_coordinate, numbers)),
        tuple(setup["segment"][: len(coordinates)].tolist()),
    )
