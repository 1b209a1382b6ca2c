"""A position of Hive, for people and programs: immutable, typed, in terms of tiles and cells.

A move is the number that the rules use (see `board.py`); `tile_of` and `target_of` say what it is.
"""

from __future__ import annotations

import copy
import functools
import threading
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError, SettingError
from agon.games.game import JsonObject, Outcome, Position
from agon.games.hive import rules
from agon.games.hive.board import NO_SLOT, NOWHERE, START, STATE, WORK, occupied_faces
from agon.games.hive.line_code import LINE_SHIFT, find_line, line_of_move
from agon.games.hive.matrix import format_matrix_move, to_matrix
from agon.games.hive.move import KIND_AT, PASS, TILES, Move, slot_of_tile
from agon.games.hive.notation import format_move, parse_move
from agon.games.hive.report import (
    MOVES,
    NO_MOVE,
    ON_TOP,
    REPORT_SIZE,
    is_listed,
    reference_tile,
    report,
)
from agon.games.hive.tile import (
    BLACK,
    ORIGIN,
    SIDE_NAMES,
    STEPS,
    WHITE,
    Cell,
    Direction,
    Kind,
    LastMove,
    Tile,
)
from agon.kernel import new_array, new_records, unset_array

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agon.games.hive.game import HiveOptions
    from agon.games.scene import Scene
    from agon.kernel import IntArray, Record

_TORUS_STEPS = (-33, -32, 1, 33, 32, -1)
ENDINGS = {
    rules.WHITE_WINS: Outcome((2, 0), "black queen surrounded"),
    rules.BLACK_WINS: Outcome((0, 2), "white queen surrounded"),
    rules.DRAW: Outcome((1, 1), "both queens surrounded"),
}


class Scratch:
    """Scratch space for the rules, and room for their report."""

    def __init__(self) -> None:
        self.works = new_array(WORK)
        self.report: IntArray = np.empty(REPORT_SIZE, np.uint64)
        self.facts = self.report[:MOVES]

    def survey(self, states: IntArray) -> None:
        """Have the rules report on a state as it is."""
        report(states, self.report[:0], NO_MOVE, states, self.works, self.report)


class ThreadScratch(threading.local):
    """Each thread has its own, and clears it by using it."""

    def __init__(self) -> None:
        """Made when a thread first needs it."""
        self.scratch = Scratch()


THREAD = ThreadScratch()


@dataclass(frozen=True, slots=True)
class Unrolled:
    """The board without an edge: its cells by those of the torus, and what moved last."""

    cells: dict[int, Cell]
    last_move: LastMove | None = None

    def place(self, torus: int) -> Cell:
        """Where a cell of the rules' torus lies that is occupied, or beside one that is."""
        if torus in self.cells:
            return self.cells[torus]
        for torus_step, step in zip(_TORUS_STEPS, STEPS, strict=True):
            beside = self.cells.get((torus + torus_step) & 1023)
            if beside is not None:
                return beside[0] - step[0], beside[1] - step[1]
        return ORIGIN

    def after(self, move: Move, left: int) -> Unrolled:
        """The same after a move; `left` is what the report says of the cell that it left."""
        if move == PASS:
            return Unrolled(self.cells)
        cells, origin, target = self.cells.copy(), None, self.place(move & 1023)
        if not move & rules.FROM_HAND:
            origin = cells[left >> 1]
            if left & 1:
                del cells[left >> 1]
        cells[move & 1023] = target
        return Unrolled(cells, LastMove(TILES[move >> 10 & 31], origin, target))


@dataclass(slots=True, eq=False)
class PositionHistory:
    """How a position came about: the last move, and the path to where it was made.

    It holds on to no state, so that those of a long match need not be kept.
    """

    before: PositionHistory | None = None
    move: Move = PASS
    left: int = 0
    unrolled: Unrolled | None = None

    def unroll(self) -> Unrolled:
        """Where the cells of the rules' torus lie on a board without an edge.

        That follows from the moves since a position of which it is known; few ever ask.
        """
        path, moves = self, list[PositionHistory]()
        while path.unrolled is None and path.before is not None:
            moves.append(path)
            path = path.before
        known = path.unrolled or Unrolled({})
        for step in reversed(moves):
            known = step.unrolled = known.after(step.move, step.left)
            step.before = None
        return known


class HivePosition(Position[Move]):
    """One moment of a match of Hive. White has seat 0, black seat 1."""

    options: HiveOptions
    seats = 2
    adjustable = ("queen_first", "repetition")
    _last_read: tuple[Move, int] = (Move(-1), 0)
    """The move that was read last, and the line by which it is written."""

    def __init__(
        self,
        options: HiveOptions,
        states: IntArray,
        scratch: Scratch,
        keys: tuple[int, ...] = (),
        path: PositionHistory | None = None,
        move: Move | None = None,
    ) -> None:
        """Not for callers: use `start` and `play`.

        `scratch` has what the rules say of the state; `keys` are the hashes of the positions before
        this one and since the last placement, for R14; `move` led here, at the end of `path`.
        """
        facts: list[int] = scratch.facts.tolist()
        result, self.turn, self._placed, key, left, count = facts
        self.options = options
        self.move = move
        self._states = states
        self._keys = (*keys, key)
        self.outcome = self._ending(result)
        self.to_act = () if self.outcome else (self.turn & 1,)
        self._listed = scratch.report[MOVES : MOVES + (0 if self.outcome else count)].copy()
        self._path = PositionHistory() if move is None else PositionHistory(path, move, left)

    @classmethod
    def start(cls, options: HiveOptions) -> HivePosition:
        """All tiles in hand, white to move."""
        states, scratch = new_array(STATE), THREAD.scratch
        rules.start(states[0], options.expansion_bits, int(options.queen_first), 0)
        scratch.survey(states)
        return cls(options, states, scratch)

    @classmethod
    def of_state(cls, options: HiveOptions, state: Record, cells: dict[int, Cell]) -> HivePosition:
        """A position to which no moves led; `cells` says where its occupied cells lie."""
        states, scratch = new_array(STATE), THREAD.scratch
        states[0] = state
        scratch.survey(states)
        position = cls(options, states, scratch)
        position._path.unrolled = Unrolled(cells)
        return position

    def __getstate__(self) -> dict[str, Any]:
        """Without the path, which may be as long as the match: where it led to is enough."""
        self._path.unroll()
        return super().__getstate__()

    @property
    def _state(self) -> Record:
        """The record that the rules work on."""
        return self._states[0]

    @property
    def side_to_move(self) -> int:
        """The side whose turn it is or would be."""
        return self.turn & 1

    def _ending(self, result: int) -> Outcome | None:
        """R12 and, if the option is on, R14."""
        if result != rules.PLAYING:
            return ENDINGS[result]
        if self.options.repetition and self._keys.count(self._keys[-1]) >= 3:
            return Outcome((1, 1), "third occurrence of the position")
        return None

    @functools.cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the side to move."""
        return tuple(self._listed.tolist())

    def legal_moves(self, seat: int) -> Sequence[Move]:
        return self.moves if seat in self.to_act else ()

    def random_turn(self, seat: int, rng: Random) -> Move:
        return rng.choice(self.legal_moves(seat))

    def play(self, turns: Mapping[int, Move]) -> HivePosition:
        self.check_turns(turns)
        return self.play_move(turns[self.turn & 1])

    def play_move(self, move: Move) -> HivePosition:
        """The position after a legal move."""
        after, scratch = unset_array(STATE), THREAD.scratch
        works, to = scratch.works, scratch.report
        if not report(self._states, self._listed, move, after, works, to):
            raise IllegalMoveError(f"move {move}: not legal here")
        keys = () if move & rules.FROM_HAND and move != PASS else self._keys
        return HivePosition(self.options, after, scratch, keys, self._path, move)

    @property
    def _cells(self) -> dict[int, Cell]:
        """The occupied cells of the torus, and where they are on a board without an edge."""
        return self._path.unroll().cells

    @property
    def last_move(self) -> LastMove | None:
        """What the last turn moved, if it was no pass."""
        return self._path.unroll().last_move

    def drop(self, faults: Mapping[int, str]) -> HivePosition:
        """A seat that fails loses the match; if both do, neither wins."""
        dropped = copy.copy(self)
        scores = [0 if seat in faults else 2 for seat in (WHITE, BLACK)]
        reasons = [f"{SIDE_NAMES[seat].lower()}: {faults[seat]}" for seat in sorted(faults)]
        dropped.outcome = Outcome((scores[0], scores[1]), ", ".join(reasons))
        dropped.to_act = dropped.moves = ()
        dropped._listed = self._listed[:0]
        return dropped

    def _adjusted(self) -> HivePosition:
        states, scratch = self._states.copy(), THREAD.scratch
        states[0]["queen_first"] = self.options.queen_first
        scratch.survey(states)
        position = HivePosition(self.options, states, scratch, self._keys[:-1])
        position.move, position._path = self.move, self._path
        return position

    def copy_state(self) -> Record:
        """The record that the rules work on, to do with as one likes."""
        copy = new_records(STATE)
        copy[0] = self._state
        return copy[0]

    @property
    def keys(self) -> tuple[int, ...]:
        """Hashes of the positions since the last placement, this one's last."""
        return self._keys

    def tile_of(self, move: Move) -> Tile:
        """The tile that the move places, moves or throws."""
        return TILES[move >> 10 & 31]

    def target_of(self, move: Move) -> Cell:
        """The cell where the move's tile ends."""
        return self._path.unroll().place(move & 1023)

    def find_move(self, tile: Tile, target: Cell) -> Move | None:
        """The legal move that brings this tile to this cell, if there is one."""
        slot = slot_of_tile(tile)
        for move in self.moves:
            if move >> 10 & 31 == slot and self.target_of(move) == target:
                return move
        return None

    def is_placed(self, tile: Tile) -> bool:
        return bool(self._placed >> slot_of_tile(tile) & 1)

    def find_move_beside(
        self, slot: int, reference: int | None, direction: Direction | None
    ) -> Move | None:
        """The legal move of a tile to that side of another one, or onto it; both by their slots.

        Without a reference: the first move of a match.
        """
        torus = START
        if reference is not None:
            if not self._placed >> reference & 1:
                return None
            torus = int(self._state["cell_of"][reference])
            if direction is not None:
                torus = (torus + _TORUS_STEPS[direction]) & 1023
        from_hand = 0 if self._placed >> slot & 1 else rules.FROM_HAND
        move = Move(from_hand | slot << 10 | torus)
        return move if is_listed(self._listed, move) else None

    def find_line(self, line: int) -> Move | None:
        """The legal move that a line of the notation stands for; see `line_code`."""
        found = int(find_line(self._states, self._listed, line))
        if found < 0:
            return None
        move = Move(found & (1 << LINE_SHIFT) - 1)
        self._last_read = move, found >> LINE_SHIFT
        return move

    def line_of(self, move: Move) -> int:
        """The line of the notation by which a move is written."""
        read, line = self._last_read
        return line if read == move else int(line_of_move(self._states, move))

    def choose_reference(self, move: Move) -> tuple[Tile | None, Direction | None]:
        """The tile by which a move is written, and on which side of it that ends, if beside."""
        found = int(reference_tile(self._states, move))
        slot, side = found >> 3, found & 7
        if slot == NO_SLOT:
            return None, None
        return TILES[slot], None if side == ON_TOP else Direction(side)

    @functools.cached_property
    def stacks(self) -> Mapping[Cell, tuple[Tile, ...]]:
        """The occupied cells with their tiles, bottom to top."""
        words, top, under = self._state["cells"], self._state["top"], self._state["under"]
        stacks = {}
        for torus, cell in self._cells.items():
            slot = int(top[torus])
            tiles = [TILES[slot]]
            for _ in range((int(words[torus]) >> 12 & 7) - 1):
                slot = int(under[slot])
                tiles.append(TILES[slot])
            stacks[cell] = tuple(reversed(tiles))
        return MappingProxyType(stacks)

    @functools.cached_property
    def places(self) -> Mapping[Tile, Cell]:
        """Where each tile on the board lies."""
        return MappingProxyType({tile: cell for cell, s in self.stacks.items() for tile in s})

    @property
    def hands(self) -> tuple[Mapping[Kind, int], Mapping[Kind, int]]:
        """Tiles still in hand, white's and black's."""
        return self._hand(WHITE), self._hand(BLACK)

    def _hand(self, side: int) -> Mapping[Kind, int]:
        left = int(self._state["tiles"]) & ~int(self._state["placed"][side])
        in_hand = [kind for place, kind in enumerate(KIND_AT) if left >> place & 1]
        return {kind: in_hand.count(kind) for kind in Kind if kind in in_hand}

    def around_queen(self, side: int) -> int:
        """How many of the six cells around the side's queen are taken; 0 while she is in hand."""
        cell = int(self._state["queen"][side])
        if cell == NOWHERE:
            return 0
        return int(occupied_faces(int(self._state["cells"][cell]))).bit_count()

    @property
    def stunned(self) -> Tile | None:
        """R10: the tile that can neither be thrown nor, if it was thrown itself, move or throw."""
        slot = int(self._state["last_moved"])
        if slot == NO_SLOT or "P" not in self.options.variant:
            return None
        return TILES[slot]

    def parse_turn(self, seat: int, text: str) -> Move:
        """A move in Agon's notation, or `pass`."""
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")
        return parse_move(self, text)

    def format_turn(self, seat: int, turn: Move) -> str:
        return format_move(self, turn)

    def observe(self, seat: int | None) -> JsonObject:
        """Everything: nothing is hidden in Hive."""
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        moves = self.legal_moves(self.side_to_move)
        return {
            "variant": self.options.variant,
            "turn": self.turn,
            "to_act": list(self.to_act),
            "tiles": [
                {"tile": str(tile), "cell": [*cell], "xy": [*to_matrix(cell)], "level": level}
                for cell, stack in sorted(self.stacks.items())
                for level, tile in enumerate(stack)
            ],
            "hands": [{kind.letter: n for kind, n in hand.items()} for hand in self.hands],
            "stunned": str(self.stunned) if self.stunned else None,
            "legal_moves": [format_move(self, move) for move in moves],
            "legal_moves_xy": [format_matrix_move(self, move) for move in moves],
            "outcome": outcome,
        }

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        from agon.games.hive.scene import hive_scene

        return hive_scene(self, names)
