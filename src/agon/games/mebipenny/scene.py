"""A MebiPenny position as a picture: the board on the left, the players on the right.

A claim has the id `claim-3,14`, a wall `wall-3,14`, a tile that a player holds `tile-3,14`: hands
are drawn on the board too, for seats that may see them. Claims that touch flow together, so that an
army is one shape. The tile that was played last is framed, and so are the claims that changed
hands. Boards with very many cells are drawn by rows instead of by cells.

    +-----------------+--------+
    | headline, news  | Red    |
    |      board      | Blue   |
    |                 | key    |
    +-----------------+--------+
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.games.mebipenny.board import NATURE
from agon.games.mebipenny.look import CELL, CLAIM, CORNER, LOOK, PLAYER_THEMES, SEAT_NAMES
from agon.games.mebipenny.panel import CAPTURED, PLAYED, draw_panel, news
from agon.games.panel import headline
from agon.games.players import Players
from agon.games.scene import Scene
from agon.games.shapes import Anchor, Box, Fit, Group, Label, Path, Shape, Stamp
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.mebipenny.move import Tile
    from agon.games.mebipenny.position import MebiPennyPosition

WIDTH, HEIGHT = 1000, 780
FIELD = (24, 64, 720, 760)  # left, top, right, bottom, with the numbers of rows and columns
BIGGEST = 1.6
MANY_CELLS = 64 * 64
AXIS = 13.0
BRIDGE = CELL - CLAIM + 2 * CORNER  # where corners would be, there is none


def mebipenny_scene(
    position: MebiPennyPosition, seat: int | None, names: Sequence[str] = ()
) -> Scene:
    """The position as the seat sees it: its own hand; None sees all hands."""
    players = Players(SEAT_NAMES, names)
    told = headline(position, players)
    wide = FIELD[2] - FIELD[0]
    fit = fit_board(position)
    parts = (
        *_ground(position),
        *_claims(position, fit),
        *_held(position, seat, fit),
        *_last_turn(position),
    )
    shapes = (
        Box("table", "table", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", FIELD[0], 28, text=told, size=24, room=wide),
        fit_label("news", "note", FIELD[0], 54, text=news(position, players), size=15, room=wide),
        Group("board", "field", fit.x, fit.y, scale=fit.scale, parts=parts),
        *_axes(position, fit),
        *draw_panel(position, seat, players),
    )
    return Scene(f"MebiPenny: {told}", WIDTH, HEIGHT, LOOK, shapes)


def fit_board(position: MebiPennyPosition) -> Fit:
    """The largest scale at which the board fits, with numbers above it and at its left."""
    rows, cols = position.options.rows, position.options.cols
    room_x, room_y = FIELD[2] - FIELD[0] - 26, FIELD[3] - FIELD[1] - 26
    scale = min(BIGGEST, room_x / (cols * CELL), room_y / (rows * CELL))
    x = FIELD[0] + 26 + (room_x - scale * cols * CELL) / 2
    y = FIELD[1] + 26 + (room_y - scale * rows * CELL) / 2
    return Fit(x, y, scale)


def middle(tile: Tile) -> tuple[float, float]:
    """Where a cell lies at scale 1."""
    return CELL * (tile.col + 0.5), CELL * (tile.row + 0.5)


def _ground(position: MebiPennyPosition) -> Iterator[Shape]:
    """The board with all its cells free."""
    rows, cols = position.options.rows, position.options.cols
    width, height = cols * CELL, rows * CELL
    frame = Box("ground", "board", width / 2, height / 2, width=width + 8, height=height + 8)
    yield frame
    if rows * cols <= MANY_CELLS:
        side = CELL - 3
        squares = (
            f"M{col * CELL + 1.5:g} {row * CELL + 1.5:g}h{side:g}v{side:g}h-{side:g}Z"
            for row in range(rows)
            for col in range(cols)
        )
        yield Path("cells", "free", d="".join(squares))


def _claims(position: MebiPennyPosition, fit: Fit) -> Iterator[Shape]:
    """Walls and claims."""
    if position.owners.size > MANY_CELLS:
        yield from _areas(position)
        return
    for tile, owner in position.claims():
        x, y = middle(tile)
        name = f"{tile.row},{tile.col}"
        if owner is None:
            parts = (
                Box("", "wall", width=CELL - 3, height=CELL - 3),
                Stamp("", "bricks", glyph="bricks", scale=(CELL - 3) / CELL),
            )
            yield Group(f"wall-{name}", "cell", x, y, parts=parts, tip=f"{name}: wall")
        else:
            theme = PLAYER_THEMES[owner]
            shapes = [*claim_shapes(position, tile, f"claim {theme.role}")]
            if fit.shows(16):
                shapes.append(Stamp("", theme.role, glyph=f"sign-{theme.role}"))
            tip = f"{name}: {theme.name}"
            yield Group(f"claim-{name}", "cell", x, y, parts=tuple(shapes), tip=tip)


def claim_shapes(position: MebiPennyPosition, tile: Tile, role: str) -> Iterator[Shape]:
    """A claim, and the bridges to claims at its right and below it: they are of the same army."""
    owners = position.owners
    yield Box("", role, width=CLAIM, height=CLAIM, corner=CORNER)
    if tile.col + 1 < owners.shape[1] and owners[tile.row, tile.col + 1] >= 0:
        yield Box("", role, CELL / 2, 0, width=BRIDGE, height=CLAIM)
    if tile.row + 1 < owners.shape[0] and owners[tile.row + 1, tile.col] >= 0:
        yield Box("", role, 0, CELL / 2, width=CLAIM, height=BRIDGE)


def _areas(position: MebiPennyPosition) -> Iterator[Shape]:
    """All walls as one shape, and all claims of each seat as one."""
    roles = {NATURE: ("walls", "wall")}
    roles |= {s: (f"claims-{s}", f"claim {PLAYER_THEMES[s].role}") for s in range(position.seats)}
    for owner, (id_, role) in roles.items():
        yield Path(id_, role, d="".join(_strips(position, owner)))


def _strips(position: MebiPennyPosition, owner: int) -> Iterator[str]:
    """Path data of all cells of an owner, row by row."""
    padded = np.pad(position.owners == owner, ((0, 0), (1, 1))).astype(np.int8)
    for row, edges in enumerate(np.diff(padded, axis=1)):
        for start, end in zip(*(np.flatnonzero(edges == edge) for edge in (1, -1)), strict=True):
            length = (end - start) * CELL
            yield f"M{start * CELL:g} {row * CELL:g}h{length:g}v{CELL:g}h-{length:g}Z"


def _held(position: MebiPennyPosition, viewer: int | None, fit: Fit) -> Iterator[Shape]:
    """The cells of tiles in those hands that the viewer sees."""
    for seat, hand in enumerate(position.hands):
        if viewer not in (None, seat):
            continue
        theme = PLAYER_THEMES[seat]
        for tile in hand:
            x, y = middle(tile)
            name = f"{tile.row},{tile.col}"
            parts: list[Shape] = [Box("", f"held {theme.role}", width=27, height=27, corner=6)]
            if fit.shows(16):
                parts.append(Stamp("", theme.role, glyph=f"held-{theme.role}", scale=0.8))
            tip = f"{name}: in {theme.name}'s hand"
            yield Group(f"tile-{name}", "cell", x, y, parts=tuple(parts), tip=tip)


def _last_turn(position: MebiPennyPosition) -> Iterator[Shape]:
    """Dots around the claims that changed hands, a frame around the tile that was played."""
    for tile in position.captured:
        x, y = middle(tile)
        name = f"{tile.row},{tile.col}"
        yield Group(f"captured-{name}", "cell", x, y, parts=CAPTURED)
    if position.last_tile is not None:
        x, y = middle(position.last_tile)
        yield Group("last", "cell", x, y, parts=PLAYED)


def _axes(position: MebiPennyPosition, fit: Fit) -> Iterator[Shape]:
    """Numbers of rows and columns; not all of them if that would be too many."""
    pitch = CELL * fit.scale
    longest = len(str(max(position.owners.shape) - 1))
    step = next(step for step in (1, 5, 10, 20, 50) if step * pitch >= (0.7 * longest + 0.2) * AXIS)
    for col in range(0, position.options.cols, step):
        x = fit.x + (col + 0.5) * pitch
        yield Label(f"col-{col}", "axis", x, fit.y - 14, text=str(col), size=AXIS)
    for row in range(0, position.options.rows, step):
        y = fit.y + (row + 0.5) * pitch
        yield Label(
            f"row-{row}", "axis", fit.x - 10, y, text=str(row), size=AXIS, anchor=Anchor.END
        )
