"""Connect Four as Agon knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.game import Options, option
from agon.games.sequential.game import SequentialGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.sequential.position import SequentialPosition

COLUMNS = "abcdefgh"
SIDES = range(4, 9)


@dataclass(frozen=True, slots=True)
class ConnectFourOptions(Options):
    """R1: the size of the board."""

    rows: int = option(6, "rows of the board, 4 to 8", is_main=True)
    cols: int = option(7, "columns of the board, 4 to 8", is_main=True)

    def __post_init__(self) -> None:
        """Refuse a board that the rules have no room for."""
        for name, side in (("rows", self.rows), ("cols", self.cols)):
            if side not in SIDES:
                raise SettingError(f"{name} {side}: expected {SIDES[0]} to {SIDES[-1]}")


class ConnectFour(SequentialGame):
    """Four in a row."""

    name = "connect_four"
    title = "Connect Four"
    summary = "Pieces dropped into columns; four in a row win."
    options = ConnectFourOptions
    move_pattern = "[a-h]"
    move_example = "d"

    def cells(self, position: SequentialPosition) -> Sequence[Sequence[int | None]]:
        """The board from its top row down."""
        rows, cols = int(position.setup["rows"]), int(position.setup["cols"])
        board = position.state["cells"][:rows, :cols][::-1].tolist()
        return [[piece - 1 if piece else None for piece in row] for row in board]

    def place_of(self, position: SequentialPosition, move: int) -> tuple[int, int]:
        """R2: the cell that the piece falls to."""
        return [row[move] for row in self.cells(position)].count(None) - 1, move

    def format_move(self, position: SequentialPosition, move: int) -> str:
        """The letter of the column."""
        return COLUMNS[move]

    def tell_ending(self, position: SequentialPosition) -> str:
        """R3 or R4."""
        return "four in a row" if position.state["winner"] else "the board is full"


GAME = ConnectFour()
