"""A small game's position as a picture: the board on the left, the players on the right.

A piece has the id `piece-2,3`, by row and column from the top left. Columns have letters, rows
have numbers from the bottom, as on a chess board.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from agon.games.panel import PlayerRows, headline, verdict
from agon.games.players import Players
from agon.games.scene import Scene
from agon.games.sequential.look import PIECE, SEAT_NAMES, emblem, look_for
from agon.games.shapes import Box, Disc, Fit, Group, Label, Shape
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.sequential.position import SequentialPosition

WIDTH, HEIGHT = 1000, 780
FIELD = (64, 64, 720, 740)  # left, top, right, bottom
CELL = 40.0
BIGGEST = 3.0
ROWS = PlayerRows(top=64, height=78, gap=10, inset=4, name=(64, 30, 18))
AXIS = 15.0


def draw_position(position: SequentialPosition, names: Sequence[str] = ()) -> Scene:
    """The board, the last move and the players."""
    players = Players(SEAT_NAMES, names)
    told = headline(position, players)
    cells = position.game.cells(position)
    fit = fit_board(cells)
    look = look_for(position.game.name)
    parts = (*_ground(cells), *_pieces(cells), *_last_move(position))
    shapes = (
        Box("table", "table", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", 24, 32, text=told, size=24, room=WIDTH - 48),
        Group("board", "field", fit.x, fit.y, scale=fit.scale, parts=parts),
        *_axes(cells, fit),
        *(_player(position, seat, players.name(seat)) for seat in range(position.seats)),
    )
    return Scene(f"{position.game.title}: {told}", WIDTH, HEIGHT, look, shapes)


def fit_board(cells: Sequence[Sequence[int | None]]) -> Fit:
    """The largest scale at which the board fits."""
    left, top, right, bottom = FIELD
    rows, cols = len(cells), len(cells[0])
    scale = min(BIGGEST, (right - left) / (cols * CELL), (bottom - top) / (rows * CELL))
    return Fit(
        (left + right - scale * cols * CELL) / 2, (top + bottom - scale * rows * CELL) / 2, scale
    )


def middle(row: int, col: int) -> tuple[float, float]:
    """Where a cell lies at scale 1."""
    return CELL * (col + 0.5), CELL * (row + 0.5)


def _ground(cells: Sequence[Sequence[int | None]]) -> Iterator[Shape]:
    width, height = CELL * len(cells[0]), CELL * len(cells)
    yield Box(
        "ground", "board", width / 2, height / 2, width=width + 8, height=height + 8, corner=6
    )
    for row, line in enumerate(cells):
        for col in range(len(line)):
            x, y = middle(row, col)
            yield Disc(f"cell-{row},{col}", "cell", x, y, radius=PIECE)


def _pieces(cells: Sequence[Sequence[int | None]]) -> Iterator[Shape]:
    for row, line in enumerate(cells):
        for col, seat in enumerate(line):
            if seat is not None:
                x, y = middle(row, col)
                tip = f"{ascii_lowercase[col % 26]}{len(cells) - row}: {SEAT_NAMES[seat]}"
                yield Group(f"piece-{row},{col}", "pieces", x, y, parts=emblem(seat), tip=tip)


def _last_move(position: SequentialPosition) -> Iterator[Shape]:
    if position.last_place is not None:
        rings = (Disc("", "last-case", radius=PIECE), Disc("", "last", radius=PIECE))
        yield Group("last", "mark", *middle(*position.last_place), parts=rings)


def _axes(cells: Sequence[Sequence[int | None]], fit: Fit) -> Iterator[Shape]:
    for col in range(len(cells[0])):
        x, y = fit.place(CELL * (col + 0.5), CELL * len(cells))
        letter = ascii_lowercase[col % 26]
        yield Label(f"col-{col}", "axis", x, y + 20, text=letter, size=AXIS)
    for row in range(len(cells)):
        x, y = fit.place(0, CELL * (row + 0.5))
        number = str(len(cells) - row)
        yield Label(f"row-{row}", "axis", x - 18, y, text=number, size=AXIS)


def _player(position: SequentialPosition, seat: int, name: str) -> Group:
    told = verdict(position, seat, position.out)
    note, role = (told, "verdict") if told else (SEAT_NAMES[seat], "note")
    return ROWS.draw(
        seat,
        name,
        state="active" if seat in position.to_act else "",
        emblem=[Group("", "emblem", 34, ROWS.height / 2, parts=emblem(seat))],
        parts=[fit_label("", role, 64, 54, text=note, size=13, room=160)],
        tip=f"{name}: {note}",
    )
