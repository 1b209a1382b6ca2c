"""A turn of Hive by two clicks: a tile in the hand or on the board, then where it goes.

A pillbug's throw is clicked like any move: the tile that is thrown, which may be the other side's,
then its new place. Picks are `pick-wG1` for a tile and `to-1,-2` for a cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.games.clicks import Choice, Draft, Step, check_seat, overlay, take_step
from agon.games.hive.move import PASS, Move
from agon.games.hive.position import HivePosition
from agon.games.hive.scene import CORNER, FACE, LIFT, SIDES, fit_hive, hive_scene
from agon.games.hive.tile import Cell, Direction, Kind, LastMove, Tile
from agon.games.shapes import Group, Hex, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.game import Position
    from agon.games.scene import Scene

SIDE_WORDS = {
    Direction.NW: "to the upper left of",
    Direction.NE: "to the upper right of",
    Direction.E: "to the right of",
    Direction.SE: "to the lower right of",
    Direction.SW: "to the lower left of",
    Direction.W: "to the left of",
    None: "onto",
}


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(HiveDraft(HivePosition.of(position), names), picks)


@dataclass(frozen=True, slots=True)
class Preview:
    """The board with a move on it that was not sent yet: still the same side's turn."""

    stacks: Mapping[Cell, tuple[Tile, ...]]
    hands: tuple[Mapping[Kind, int], Mapping[Kind, int]]
    last_move: LastMove | None
    to_act: tuple[int, ...]
    turn: int
    outcome: None = None


@dataclass(frozen=True, slots=True)
class HiveDraft(Draft):
    """Nothing, a tile, or a whole move."""

    position: HivePosition
    names: Sequence[str] = ()
    tile: Tile | None = None
    move: Move | None = None

    @property
    def prompt(self) -> str:
        if self._must_pass:
            return "Nothing of yours can be placed or moved: you have to pass"
        if self.tile is None:
            return "Choose a tile: from your hand to place it, on the board to move it"
        if self.move is None:
            return f"Choose where {tile_words(self.tile)} goes"
        return "Send the move, or take it back"

    def choices(self) -> Sequence[Choice]:
        """The tiles that can be played, or the cells where the picked one can go."""
        if self.move is not None or self._must_pass:
            return ()
        if self.tile is None:
            tiles = sorted({self.position.tile_of(move) for move in self.position.moves})
            return [Choice(_tile_id(tile), self._action(tile)) for tile in tiles]
        moves = sorted(self._moves(self.tile), key=self.position.target_of)
        return [Choice(self._cell_id(move), self._target_words(move)) for move in moves]

    def buttons(self) -> Sequence[Choice]:
        """None: even the hands lie on the board."""
        return ()

    def pick(self, choice: str) -> tuple[Draft, str]:
        """First the tile, then the cell."""
        if self.tile is None:
            tiles = map(self.position.tile_of, self.position.moves)
            tile = next(tile for tile in tiles if _tile_id(tile) == choice)
            return replace(self, tile=tile), self._action(tile)
        move = next(move for move in self._moves(self.tile) if self._cell_id(move) == choice)
        return replace(self, move=move), f"put it {self._target_words(move)}"

    def turn(self) -> str | None:
        """The move; a pass needs no click."""
        move = PASS if self._must_pass else self.move
        return None if move is None else self.position.format_turn(self.position.side_to_move, move)

    def scene(self) -> Scene:
        """The board, the same size through the whole turn, with what can be clicked on top."""
        moves = () if self._must_pass else self.position.moves
        room = sorted({self.position.target_of(move) for move in moves})
        if self.move is not None and self.tile is not None:
            scene = hive_scene(self._preview(self.move), self.names, room, ", not sent yet")
            return overlay(scene, [_mark(scene, self.tile, "picked")])
        scene = hive_scene(self.position, self.names, room)
        if self.tile is None:
            tiles = sorted(map(self.position.tile_of, moves))
            return overlay(
                scene, [_mark(scene, tile, "choice piece") for tile in dict.fromkeys(tiles)]
            )
        targets = [self._target(scene, move, room) for move in self._moves(self.tile)]
        return overlay(scene, [_mark(scene, self.tile, "picked"), *targets])

    @property
    def _must_pass(self) -> bool:
        return PASS in self.position.moves

    def _moves(self, tile: Tile) -> list[Move]:
        return [move for move in self.position.moves if self.position.tile_of(move) == tile]

    def _action(self, tile: Tile) -> str:
        if tile not in self.position.places:
            return f"place {tile_words(tile)}"
        own = tile.side == self.position.side_to_move
        return f"move {tile_words(tile)}" if own else f"throw {tile_words(tile)}"

    def _cell_id(self, move: Move) -> str:
        q, r = self.position.target_of(move)
        return f"to-{q},{r}"

    def _target_words(self, move: Move) -> str:
        reference, side = self.position.choose_reference(move)
        return f"{SIDE_WORDS[side]} {tile_words(reference)}" if reference else "on the empty table"

    def _target(self, scene: Scene, move: Move, room: Sequence[Cell]) -> Shape:
        """A hexagon to click: on an empty cell, or a little above the tile that is there."""
        cell = self.position.target_of(move)
        name, words = self._cell_id(move), self._target_words(move)
        stack = self.position.stacks.get(cell)
        if stack is None:
            fit = fit_hive(self.position, room)
            return _hexagon(name, "choice", fit.tile(cell, 0, 1), fit.scale, words)
        below = _find_tile(scene, stack[-1])
        place = below.x, below.y - LIFT / 2 * below.scale
        return _hexagon(name, "choice piece", place, below.scale, words)

    def _preview(self, move: Move) -> Preview:
        now, after = self.position, self.position.play_move(move)
        return Preview(after.stacks, after.hands, after.last_move, now.to_act, now.turn)


def tile_words(tile: Tile) -> str:
    """The tile as people call it, and its short name: `the white ant 2 (wA2)`."""
    number = f" {tile.number}" if tile.kind.per_side > 1 else ""
    return f"the {SIDES[tile.side]} {tile.kind.name.lower()}{number} ({tile})"


def _tile_id(tile: Tile) -> str:
    return f"pick-{tile}"


def _find_tile(scene: Scene, tile: Tile) -> Group:
    """The drawing of a tile, wherever it lies."""
    return next(s for s in scene.shapes if isinstance(s, Group) and s.id == f"tile-{tile}")


def _mark(scene: Scene, tile: Tile, role: str) -> Shape:
    """A hexagon on the tile, in the hand or on the board."""
    drawn = _find_tile(scene, tile)
    return _hexagon(_tile_id(tile), role, (drawn.x, drawn.y), drawn.scale, drawn.tip)


def _hexagon(name: str, role: str, place: tuple[float, float], scale: float, tip: str) -> Hex:
    return Hex(name, role, *place, size=(FACE - 2) * scale, corner=CORNER * scale, tip=tip)
