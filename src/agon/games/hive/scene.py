"""A Hive position as a picture: the hive in the middle, both hands below it.

Every tile of the match is in every scene, on the board or in its hand, under the id `tile-wG2`: a
renderer that moves shapes by their ids shows a tile being played. All pictures have one size; the
hive is made to fit.

    +---------------------------+
    | headline                  |
    |           hive            |
    |  [ white ]   [ black ]    |  hands, and how many neighbours close in on each queen
    +---------------------------+
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import TYPE_CHECKING, Protocol

from agon.games.hive.look import LOOK
from agon.games.hive.tile import BLACK, SIDE_NAMES, STEPS, WHITE, Cell, Kind, LastMove, Tile
from agon.games.panel import ShownPosition, headline
from agon.games.players import Players, isolate
from agon.games.scene import Scene
from agon.games.shapes import Box, Disc, Fit, Group, Hex, Label, Path, Shape, Stamp
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Drawable(ShownPosition, Protocol):
    """As much of a position as a picture shows."""

    @property
    def stacks(self) -> Mapping[Cell, tuple[Tile, ...]]:
        """The tiles on each occupied cell, bottom to top."""

    @property
    def hands(self) -> tuple[Mapping[Kind, int], Mapping[Kind, int]]:
        """How many tiles of each kind white and black still hold."""

    @property
    def last_move(self) -> LastMove | None:
        """What the last turn moved, if it moved anything."""


SIDES = ("white", "black")
TIMES = "\N{MULTIPLICATION SIGN}"

WIDTH, HEIGHT = 1000, 780
BOARD = (30, 64, 970, 620)  # left, top, right, bottom
TRAY_WIDTH, TRAY_HEIGHT, TRAY_TOP = 464, 124, 638

# Sizes of a tile at scale 1, in which it is 80 wide.
PITCH = 46.0
FACE = 44.5
CORNER = 8.0
WALL = 7.0
LIFT, MOST_LIFT = 10.0, 26.0
BIGGEST = 1.35
NAME_LEFT, DANGER = 42, 120  # where a name begins, and what the queen's danger takes at the right


class HiveFit(Fit):
    """Where the hive lies in the picture."""

    def tile(self, cell: Cell, level: int, height: int) -> tuple[float, float]:
        """The middle of a tile that has `level` tiles below it in a stack of `height`."""
        return self.place(*_middle(cell, level, height))

    def top(self, position: Drawable, cell: Cell) -> tuple[float, float]:
        """The middle of the top tile of that cell, or of the bare cell."""
        height = max(1, len(position.stacks.get(cell, ())))
        return self.tile(cell, height - 1, height)


def hive_scene(
    position: Drawable, names: Sequence[str] = (), room_for: Iterable[Cell] = (), note: str = ""
) -> Scene:
    """The position as both seats see it (Hive hides nothing), with room for more cells."""
    fit = fit_hive(position, room_for)
    players = Players(SIDE_NAMES, names)
    told = headline(position, players) + note
    shapes: list[Shape] = [
        Box("table", "table", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", 34, 38, text=told, size=26, room=WIDTH - 68),
    ]
    shapes += _hive(position, fit)
    shapes += _closed_queens(position, fit)
    shapes += _last_move(position, fit)
    shapes += _badges(position, fit)
    for side in (WHITE, BLACK):
        shapes += _tray(position, side, players.name(side))
    return Scene(f"Hive: {told}", WIDTH, HEIGHT, LOOK, tuple(shapes))


def _middle(cell: Cell, level: int = 0, height: int = 1) -> tuple[float, float]:
    """Where a tile lies at scale 1: up and a little to the right with each tile below it."""
    q, r = cell
    # High stacks are pressed together, or they would hide too much of what is behind them.
    lift = level * min(LIFT, MOST_LIFT / max(1, height - 1))
    return PITCH * sqrt(3) * (q + r / 2) + lift * 0.35, PITCH * 1.5 * r - lift


def fit_hive(position: Drawable, room_for: Iterable[Cell] = ()) -> HiveFit:
    """The largest scale at which the hive, these cells and the last move's origin are inside."""
    tops = [_middle(cell, len(stack) - 1, len(stack)) for cell, stack in position.stacks.items()]
    tops += [_middle(cell) for cell in (*position.stacks, *room_for)]
    if position.last_move and position.last_move.origin is not None:
        tops.append(_middle(position.last_move.origin))
    xs, ys = [x for x, _ in tops] or [0.0], [y for _, y in tops] or [0.0]
    left, right = min(xs) - PITCH, max(xs) + PITCH
    top, bottom = min(ys) - PITCH, max(ys) + PITCH + WALL
    room_x, room_y = BOARD[2] - BOARD[0], BOARD[3] - BOARD[1]
    scale = min(BIGGEST, room_x / (right - left), room_y / (bottom - top))
    return HiveFit(
        x=(BOARD[0] + BOARD[2] - scale * (left + right)) / 2,
        y=(BOARD[1] + BOARD[3] - scale * (top + bottom)) / 2,
        scale=scale,
    )


def _hive(position: Drawable, fit: HiveFit) -> Iterator[Shape]:
    """The tiles from back to front, so that high stacks hide what is behind them."""
    for cell in sorted(position.stacks, key=lambda cell: (cell[1], cell[0])):
        stack = position.stacks[cell]
        for level, tile in enumerate(stack):
            yield _tile(tile, *fit.tile(cell, level, len(stack)), fit.scale)


def _badges(position: Drawable, fit: HiveFit) -> Iterator[Shape]:
    """How high each stack is, and down from there the tiles under its top, as letters."""
    for cell, stack in position.stacks.items():
        if len(stack) == 1:
            continue
        parts: list[Shape] = [
            Disc("", "badge", radius=11),
            Label("", "height", text=str(len(stack)), size=15),
        ]
        for place, tile in enumerate(reversed(stack[:-1]), start=1):
            side, kind, y = SIDES[tile.side], tile.kind.name.lower(), 1.5 + 19 * place
            parts.append(Disc("", f"token {side}", 0, y, radius=9))
            parts.append(Label("", f"letter {kind} {side}", 0, y, text=tile.kind.letter, size=12))
        x, y = fit.top(position, cell)
        yield Group(
            f"stack-{stack[0]}",
            "stack",
            x + 31 * fit.scale,
            y - 30 * fit.scale,
            scale=fit.scale,
            parts=tuple(parts),
            tip="bottom to top: " + " ".join(map(str, stack)),
        )


def _tile(tile: Tile, x: float, y: float, scale: float) -> Group:
    side, kind = SIDES[tile.side], tile.kind.name.lower()
    single = tile.kind.per_side == 1
    parts: list[Shape] = [
        Hex("", "shadow", 5, WALL + 4, size=FACE, corner=CORNER),
        Hex("", f"wall {side}", 0, WALL, size=FACE, corner=CORNER),
        Hex("", f"face {side}", size=FACE, corner=CORNER),
        Hex("", f"rim {side}", size=FACE - 3.5, corner=CORNER - 1),
        Stamp("", f"{kind} {side}", 0, 0 if single else -4, glyph=kind, scale=0.62),
    ]
    if not single:
        parts.append(Label("", f"number {side}", 0, 33, text=str(tile.number), size=13))
    number = "" if single else f" {tile.number}"
    tip = f"{side} {kind}{number} ({tile})"
    return Group(f"tile-{tile}", f"tile {side}", x, y, scale=scale, parts=tuple(parts), tip=tip)


def _closed_queens(position: Drawable, fit: HiveFit) -> Iterator[Shape]:
    """A ring around each queen that is surrounded."""
    for side in (WHITE, BLACK):
        cell = _queen_cell(position, side)
        if cell is not None and _taken(position, cell) == len(STEPS):
            ring = Hex("", "closed", size=FACE, corner=CORNER)
            place = fit.top(position, cell)
            yield Group(f"closed-{SIDES[side]}", "ring", *place, scale=fit.scale, parts=(ring,))


def _queen_cell(position: Drawable, side: int) -> Cell | None:
    queen = Tile(side, Kind.QUEEN, 1)
    return next((cell for cell, stack in position.stacks.items() if queen in stack), None)


def _taken(position: Drawable, cell: Cell) -> int:
    return sum((cell[0] + q, cell[1] + r) in position.stacks for q, r in STEPS)


def _last_move(position: Drawable, fit: HiveFit) -> Iterator[Shape]:
    """A ring around the tile that moved, a dotted one where it was, an arrow between them."""
    move = position.last_move
    if move is None:
        return
    end = fit.top(position, move.target)
    ring = Hex("", "last-target", size=FACE, corner=CORNER)
    yield Group("last-target", "ring", *end, scale=fit.scale, parts=(ring,))
    if move.origin is not None:
        start = fit.top(position, move.origin)
        bare = Hex("", "last-origin", size=FACE - 2, corner=CORNER)
        dx, dy = (end[0] - start[0]) / fit.scale, (end[1] - start[1]) / fit.scale
        parts = (bare, *_arrow(dx, dy))
        yield Group("last-origin", "ring", *start, scale=fit.scale, parts=parts)


def _arrow(dx: float, dy: float) -> tuple[Path, Path]:
    """A slightly bent arrow that ends a little before (dx, dy): its shaft and its head."""
    bend = (dx / 2 + 0.14 * dy, dy / 2 - 0.14 * dx)
    rest = hypot(dx - bend[0], dy - bend[1]) or 1.0
    ux, uy = (dx - bend[0]) / rest, (dy - bend[1]) / rest  # the way in which it arrives
    gap = min(0.93 * FACE, 1.2 * rest)
    x, y = dx - gap * ux, dy - gap * uy
    neck = f"{x - 8 * ux:.1f} {y - 8 * uy:.1f}"
    left = f"{x - 12 * ux + 8 * uy:.1f} {y - 12 * uy - 8 * ux:.1f}"
    right = f"{x - 12 * ux - 8 * uy:.1f} {y - 12 * uy + 8 * ux:.1f}"
    return (
        Path("", "last-trace", d=f"M0 0Q{bend[0]:.1f} {bend[1]:.1f} {neck}"),
        Path("", "last-head", d=f"M{left}L{x:.1f} {y:.1f}L{right}L{neck}Z"),
    )


def _tray(position: Drawable, side: int, name: str) -> Iterator[Shape]:
    """One side's name, its queen's danger, and the tiles in its hand in one row."""
    side_name = SIDES[side]
    left = 30 if side == WHITE else WIDTH - 30 - TRAY_WIDTH
    active = " active" if side in position.to_act else ""
    yield Box(
        f"tray-{side_name}",
        f"tray{active}",
        left + TRAY_WIDTH / 2,
        TRAY_TOP + TRAY_HEIGHT / 2,
        width=TRAY_WIDTH,
        height=TRAY_HEIGHT,
        corner=12,
    )
    middle = TRAY_TOP + 22
    yield Disc(f"token-{side_name}", f"token {side_name}", left + 24, middle, radius=9)
    yield fit_label(
        f"name-{side_name}",
        "name",
        left + NAME_LEFT,
        middle,
        text=isolate(name),
        size=18,
        room=TRAY_WIDTH - NAME_LEFT - 24 - DANGER,
        tip=f"{name} ({SIDE_NAMES[side]})",
    )
    yield _danger(position, side, left + TRAY_WIDTH - 24, middle)
    on_board = {tile for stack in position.stacks.values() for tile in stack}
    in_play = {tile.kind for tile in on_board if tile.side == side}
    in_play.update(kind for kind, count in position.hands[side].items() if count)
    for place, kind in enumerate(sorted(in_play)):
        yield from _slot(position, side, kind, on_board, left + 35 + 56.5 * place)


def _danger(position: Drawable, side: int, right: float, y: float) -> Group:
    """Six pips, one filled for each neighbour of the queen."""
    cell = _queen_cell(position, side)
    taken = 0 if cell is None else _taken(position, cell)
    pips = tuple(
        Disc("", "pip taken" if place < taken else "pip", -15 * (5 - place), radius=5)
        for place in range(6)
    )
    token = Disc("", f"token {SIDES[side]}", -99, radius=13)
    bee = Stamp("", f"queen {SIDES[side]}", -99, glyph="queen", scale=0.21)
    tip = f"{taken} of the 6 cells around the {SIDES[side]} queen are taken"
    return Group(f"danger-{SIDES[side]}", "danger", right, y, parts=(token, bee, *pips), tip=tip)


def _slot(
    position: Drawable, side: int, kind: Kind, on_board: set[Tile], x: float
) -> Iterator[Shape]:
    """The place of one kind in the hand, with the tiles that are still there."""
    tiles = [Tile(side, kind, number) for number in range(1, kind.per_side + 1)]
    count = position.hands[side].get(kind, 0)
    name, y, scale = f"{SIDES[side]}-{kind.name.lower()}", TRAY_TOP + 72, 0.54
    empty = Hex("", "slot", size=FACE, corner=CORNER)
    yield Group(f"slot-{name}", "slots", x, y, scale=scale, parts=(empty,))
    held = [tile for tile in tiles if tile not in on_board][:count]
    for level, tile in enumerate(reversed(held)):
        yield _tile(tile, x + 2 * level, y - 4 * level, scale)
    if count:
        yield Label(f"count-{name}", "count", x, TRAY_TOP + 111, text=f"{TIMES}{count}", size=13)
