r"""A Hive position as text: pointy-top hexes, odd rows shifted right.

      / \ / \
     |wQ1|bS1|      a tile is its name;
      \ /2\ / \
       |bB1[wA1]    bB1 is on top of a stack of 2; wA1 was moved last,
        \ / \ /
       *            and stood here before

The same drawing comes plain (`format_board`) or coloured (`board_text`); games print nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.hive.look import COLOURS
from agon.games.hive.tile import BLACK, SIDE_NAMES, WHITE, Cell, Kind, Tile
from agon.games.panel import headline
from agon.games.players import Players
from agon.games.text_canvas import TextCanvas
from agon.games.text_fit import cell_width, fit_column, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from agon.games.hive.scene import Drawable

CELL_WIDTH = 4
LINE = "dim"
MARK = "bold #e87a00"
FACES = ("#1d1917 on #f3ead3", "#f3ead3 on #141211")
NAME_LENGTH, SHORTEST_NAME = 22, 5
TIMES = "\N{MULTIPLICATION SIGN}"


def format_board(position: Drawable, width: int = 80, names: Sequence[str] = ()) -> str:
    """The board, the stacks, the hands and the headline as plain text."""
    return "".join(text for text, _ in _runs(position, width, names))


def board_text(position: Drawable, width: int = 80, names: Sequence[str] = ()) -> Text:
    """The same as a Rich text: ivory and black tiles, bugs in their colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, width, names), no_wrap=True)


def _runs(position: Drawable, width: int, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pieces of text with a Rich style each; a board that is too wide comes in strips."""
    players = Players(SIDE_NAMES, names, in_terminal=True)
    for place, cells in enumerate(_strips(position, width)):
        if place:
            yield "further east:\n", LINE
        for line in _draw(position, cells).lines():
            yield from line
            yield "\n", ""
        yield "\n", ""
    for stack in position.stacks.values():
        if len(stack) > 1:
            yield "stack: " + " on ".join(map(str, reversed(stack))) + "\n", ""
    for side in (WHITE, BLACK):
        acting = side in position.to_act
        yield (">" if acting else " "), MARK
        yield f" {SIDE_NAMES[side]} ", FACES[side]
        hand = f" {_hand(position.hands[side])}"
        room = min(NAME_LENGTH, width - 2 - len(f">{SIDE_NAMES[side]} ") - cell_width(hand))
        if names and room >= SHORTEST_NAME:
            yield f" {fit_column(players.name(side), room)}", "bold"
        yield f"{hand}\n", ""
    for told in wrap_cells(headline(position, players), width):
        yield f"{told}\n", "bold"


def _hand(hand: Mapping[Kind, int]) -> str:
    held = [(kind, count) for kind, count in sorted(hand.items()) if count]
    return " ".join(f"{kind.letter}{TIMES}{count}" for kind, count in held) or "no tiles in hand"


def _column(cell: Cell) -> int:
    """Where the left edge of a cell stands; a row further down, half a cell to the right."""
    return CELL_WIDTH * cell[0] + CELL_WIDTH // 2 * cell[1]


def _strips(position: Drawable, width: int) -> list[list[Cell]]:
    """The cells to show, west to east in groups that fit the width (most often one)."""
    shown = set(position.stacks)
    if position.last_move is not None and position.last_move.origin is not None:
        shown.add(position.last_move.origin)
    left = min(map(_column, shown), default=0)
    fitting = max(CELL_WIDTH, width - CELL_WIDTH)
    strips: dict[int, list[Cell]] = {}
    for cell in sorted(shown, key=_column):
        strips.setdefault((_column(cell) - left) // fitting, []).append(cell)
    return list(strips.values())


def _draw(position: Drawable, cells: list[Cell]) -> TextCanvas:
    """The cells: first all edges, which neighbours share, then what may stand on an edge."""
    canvas = TextCanvas()
    occupied = [cell for cell in cells if cell in position.stacks]
    for cell in occupied:
        column, row = _column(cell), 2 * cell[1]
        canvas.write(column + 1, row - 1, "/", LINE)
        canvas.write(column + 3, row - 1, "\\", LINE)
        canvas.write(column, row, "|", LINE)
        canvas.write(column + 4, row, "|", LINE)
        canvas.write(column + 1, row + 1, "\\", LINE)
        canvas.write(column + 3, row + 1, "/", LINE)
    for cell in occupied:
        stack = position.stacks[cell]
        _write_tile(canvas, _column(cell) + 1, 2 * cell[1], stack[-1])
        if len(stack) > 1:
            canvas.write(_column(cell) + 2, 2 * cell[1] - 1, str(len(stack)), MARK)
        if position.last_move is not None and cell == position.last_move.target:
            canvas.write(_column(cell), 2 * cell[1], "[", MARK)
            canvas.write(_column(cell) + 4, 2 * cell[1], "]", MARK)
    for cell in cells:
        if cell not in position.stacks:
            canvas.write(_column(cell) + 2, 2 * cell[1], "*", MARK)
    return canvas


def _write_tile(canvas: TextCanvas, column: int, row: int, tile: Tile) -> None:
    face = FACES[tile.side]
    ground = face.split(" on ")[1]
    letter = f"bold {COLOURS[tile.kind][tile.side]} on {ground}"
    canvas.write(column, row, str(tile), face)
    canvas.write(column + 1, row, tile.kind.letter, letter)
