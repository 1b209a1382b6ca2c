"""A position of Hive, for people and programs: immutable, typed, in terms of tiles and cells.

A move is the number that the rules use (see `rules.py`); `tile_of` and `target_of` say what it is.
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
from agon.games.hive.move import KIND_AT, PASS, TILES, Move, slot_of_tile
from agon.games.hive.notation import format_move, parse_move
from agon.games.hive.report import (
    MOVES,
    ON_TOP,
    REPORT_SIZE,
    reference_tile,
    report_play,
    report_start,
    report_state,
)
from agon.games.hive.tile import (
    BLACK,
    ORIGIN,
    STEPS,
    WHITE,
    Cell,
    Direction,
    Kind,
    LastMove,
    Tile,
)
from agon.kernel import new_array, new_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agon.games.hive.game import HiveOptions
    from agon.games.scene import Scene
    from agon.kernel import IntArray, Record

LONGEST_PAST = 1024  # positions that are kept to say where the cells of a later one lie
_TORUS_STEPS = (-33, -32, 1, 33, 32, -1)
SIDE_NAMES = ("White", "Black")
ENDINGS = {
    rules.WHITE_WINS: Outcome((2, 0), "black queen surrounded"),
    rules.BLACK_WINS: Outcome((0, 2), "white queen surrounded"),
    rules.DRAW: Outcome((1, 1), "both queens surrounded"),
}


class Desk(threading.local):
    """Scratch space and room for a report: each thread has its own, and clears it by using it."""

    def __init__(self) -> None:
        """Made when a thread first needs it."""
        self.works = new_array(WORK)
        self.report: IntArray = np.empty(REPORT_SIZE, np.uint64)


DESK = Desk()


@dataclass(frozen=True, slots=True)
class Unrolled:
    """The board without an edge: its cells by those of the torus, and what moved last."""

    cells: dict[int, Cell]
    last_move: LastMove | None = None


class HivePosition(Position[Move]):
    """One moment of a match of Hive. White has seat 0, black seat 1."""

    seats = 2

    def __init__(
        self,
        options: HiveOptions,
        states: IntArray,
        report: IntArray,
        keys: tuple[int, ...] = (),
        before: HivePosition | None = None,
        move: Move | None = None,
    ) -> None:
        """Not for callers: use `start` and `play`.

        `report` is what the rules say of the state; `keys` are the hashes of the positions before
        this one and since the last placement, for R14; `move` led here from `before`.
        """
        facts: list[int] = report[:MOVES].tolist()
        result, self.turn, self._placed, key, count = facts
        self.options = options
        self.move = move
        self._states = states
        self._keys = (*keys, key)
        self.outcome = self._ending(result)
        self.to_act = () if self.outcome else (self.side_to_move,)
        self.moves: tuple[Move, ...] = ()
        if self.outcome is None:
            self.moves = tuple(report[MOVES : MOVES + count].tolist())
        self._before = before
        self._unrolled: Unrolled | None = None
        if self.turn % LONGEST_PAST == 0:
            self._unroll()

    @classmethod
    def start(cls, options: HiveOptions) -> HivePosition:
        """All tiles in hand, white to move."""
        states, desk = new_array(STATE), DESK
        expansions, queen_first = options.expansion_bits, int(options.queen_first)
        report_start(states, desk.works, expansions, queen_first, desk.report)
        return cls(options, states, desk.report)

    @classmethod
    def of_state(cls, options: HiveOptions, state: Record, cells: dict[int, Cell]) -> HivePosition:
        """A position to which no moves led; `cells` says where its occupied cells lie."""
        states, desk = new_array(STATE), DESK
        states[0] = state
        report_state(states, desk.works, desk.report)
        position = cls(options, states, desk.report)
        position._unrolled = Unrolled(cells)
        return position

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

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """All legal moves of the seat."""
        return self.moves if seat in self.to_act else ()

    def random_turn(self, seat: int, rng: Random) -> Move:
        """One of the legal moves."""
        return rng.choice(self.legal_moves(seat))

    def play(self, turns: Mapping[int, Move]) -> HivePosition:
        """The position after the move of the side to move."""
        self.check_turns(turns)
        return self.play_move(turns[self.side_to_move])

    def play_move(self, move: Move) -> HivePosition:
        """The position after a legal move."""
        if move not in self.moves:
            raise IllegalMoveError(f"move {move}: not legal here")
        after, desk = new_array(STATE), DESK
        report_play(self._states, after, desk.works, move, desk.report)
        keys = () if move & rules.FROM_HAND and move != PASS else self._keys
        return HivePosition(self.options, after, desk.report, keys, self, move)

    def _unroll(self) -> Unrolled:
        """Where the cells of the rules' torus lie on a board without an edge.

        That follows from the moves since a position of which it is known; few ever ask.
        """
        if self._unrolled is None:
            past = [self]
            while past[-1]._before is not None and past[-1]._before._unrolled is None:
                past.append(past[-1]._before)
            for position in reversed(past):
                before = position._before
                position._unrolled = before._unroll_move(position) if before else Unrolled({})
                position._before = None
        return self._unrolled or Unrolled({})

    def _unroll_move(self, after: HivePosition) -> Unrolled:
        known, move = self._unroll(), after.move
        if move is None or move == PASS:
            return Unrolled(known.cells)
        cells, origin, target = known.cells.copy(), None, self.target_of(move)
        if not move & rules.FROM_HAND:
            left = int(self._state["cell_of"][move >> 10 & 31])
            origin = cells[left]
            if not int(after._state["cells"][left]) >> 12:
                del cells[left]
        cells[move & 1023] = target
        return Unrolled(cells, LastMove(self.tile_of(move), origin, target))

    @property
    def _cells(self) -> dict[int, Cell]:
        """The occupied cells of the torus, and where they are on a board without an edge."""
        return self._unroll().cells

    @property
    def last_move(self) -> LastMove | None:
        """What the last turn moved, if it was no pass."""
        return self._unroll().last_move

    def drop(self, faults: Mapping[int, str]) -> HivePosition:
        """Who fails loses the match; nobody wins it if both do."""
        dropped = copy.copy(self)
        scores = [0 if seat in faults else 2 for seat in (WHITE, BLACK)]
        reasons = [f"{SIDE_NAMES[seat].lower()}: {faults[seat]}" for seat in sorted(faults)]
        dropped.outcome = Outcome((scores[0], scores[1]), ", ".join(reasons))
        dropped.to_act = dropped.moves = ()
        return dropped

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
        torus = move & 1023
        if torus in self._cells:
            return self._cells[torus]
        for torus_step, step in zip(_TORUS_STEPS, STEPS, strict=True):
            beside = self._cells.get((torus + torus_step) & 1023)
            if beside is not None:
                return beside[0] - step[0], beside[1] - step[1]
        return ORIGIN

    def find_move(self, tile: Tile, target: Cell) -> Move | None:
        """The legal move that brings this tile to this cell, if there is one."""
        slot = slot_of_tile(tile)
        for move in self.moves:
            if move >> 10 & 31 == slot and self.target_of(move) == target:
                return move
        return None

    def is_placed(self, tile: Tile) -> bool:
        """Whether the tile is on the board."""
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
        return move if move in self.moves else None

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
        slot = int(self._state["moved"])
        if slot == NO_SLOT or "P" not in self.options.variant:
            return None
        return TILES[slot]

    @property
    def headline(self) -> str:
        """Who is to move, or how the match ended."""
        if self.outcome is None:
            return f"{SIDE_NAMES[self.side_to_move]} to move, turn {self.turn // 2 + 1}"
        winner = self.outcome.winner
        ending = "Draw" if winner is None else f"{SIDE_NAMES[winner]} wins"
        return f"{ending}: {self.outcome.reason}"

    def parse_turn(self, seat: int, text: str) -> Move:
        """A move in the seed's notation, or `pass`."""
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")
        return parse_move(self, text)

    def format_turn(self, seat: int, turn: Move) -> str:
        """The move in the seed's notation."""
        return format_move(self, turn)

    def observe(self, seat: int | None) -> JsonObject:
        """Everything: nothing is hidden in Hive."""
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        return {
            "variant": self.options.variant,
            "turn": self.turn,
            "to_act": list(self.to_act),
            "tiles": [
                {"tile": str(tile), "cell": list(cell), "level": level}
                for cell, stack in sorted(self.stacks.items())
                for level, tile in enumerate(stack)
            ],
            "hands": [{kind.letter: n for kind, n in hand.items()} for hand in self.hands],
            "stunned": str(self.stunned) if self.stunned else None,
            "legal_moves": [format_move(self, move) for move in self.moves],
            "outcome": outcome,
        }

    def scene(self, seat: int | None) -> Scene:
        """The board and both hands."""
        from agon.games.hive.scene import hive_scene

        return hive_scene(self)


def as_hive_position(position: Position[Any]) -> HivePosition:
    """This position; refuses another game's."""
    if not isinstance(position, HivePosition):
        raise SettingError(f"{type(position).__name__}: expected a HivePosition")
    return position
