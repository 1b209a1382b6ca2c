"""The race as Agon knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.games.game import Options, option
from agon.games.sequential.game import SequentialGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.sequential.position import SequentialPosition

LENGTH = 6


@dataclass(frozen=True, slots=True)
class RaceOptions(Options):
    seats: int = option(3, "how many play, 2 to 4")


class Race(SequentialGame):
    name = "race"
    title = "Race"
    summary = "Who stands on the last cell first wins."
    seats = range(2, 5)
    options = RaceOptions
    move_pattern = "[12]"
    move_example = "2"

    def cells(self, position: SequentialPosition) -> Sequence[Sequence[int | None]]:
        places = position.state["at"][: position.seats].tolist()
        return [
            [seat if at == col else None for col in range(LENGTH)] for seat, at in enumerate(places)
        ]

    def place_of(self, position: SequentialPosition, move: int) -> tuple[int, int] | None:
        seat = position.next_seat
        return (seat, int(position.state["at"][seat]) + move) if move == 2 else None

    def format_move(self, position: SequentialPosition, move: int) -> str:
        return str(move)

    def tell_ending(self, position: SequentialPosition) -> str:
        return "the last cell"


GAME = Race()
