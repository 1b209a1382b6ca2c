"""A position of Hive, for people and programs: immutable, typed, in terms of tiles and cells.

A move is the number that the rules use (see `rules.py`); `tile_of` and `target_of` say what it is.
"""

from __future__ import annotations

import copy
import functools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError, SettingError
from agon.games.game import JsonObject, Outcome, Position
from agon.games.hive import rules
from agon.games.hive.board import NO_SLOT, NOWHERE, START, STATE, WORK, occupied_faces
from agon.games.hive.move import KIND_AT, PASS, TILES, Move, slot_of_tile
from agon.games.hive.notation import format_move, parse_move
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
from agon.kernel import copy_record, new_record, new_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agon.games.hive.game import HiveOptions
    from agon.games.scene import Scene
    from agon.kernel import Record

_TORUS_STEPS = (-33, -32, 1, 33, 32, -1)
SIDE_NAMES = ("White", "Black")
ENDINGS = {
    rules.WHITE_WINS: Outcome((2, 0), "black queen surrounded"),
    rules.BLACK_WINS: Outcome((0, 2), "white queen surrounded"),
    rules.DRAW: Outcome((1, 1), "both queens surrounded"),
}


class HivePosition(Position[Move]):
    """One moment of a match of Hive. White has seat 0, black seat 1."""

    seats = 2

    def __init__(
        self,
        options: HiveOptions,
        state: Record,
        survey: tuple[int, tuple[Move, ...]],
        cells: dict[int, Cell],
        keys: tuple[int, ...],
        move: Move | None = None,
        last_move: LastMove | None = None,
    ) -> None:
        """Not for callers: use `start` and `play`.

        `survey` is what the rules say of the state: its result and the legal moves; `cells` maps
        the occupied cells of the rules' torus to cells without an edge; `keys` are the hashes of
        the positions since the last placement, for R14; `move` led here.
        """
        self.options = options
        self.turn = int(state["turn"])
        self.move = move
        self.last_move = last_move
        self._state = state
        self._cells = cells
        self._keys = keys
        result, moves = survey
        self.outcome = self._ending(result)
        self.to_act = () if self.outcome else (self.side_to_move,)
        self.moves = () if self.outcome else moves

    @classmethod
    def start(cls, options: HiveOptions) -> HivePosition:
        """All tiles in hand, white to move."""
        state, work = new_record(STATE), new_record(WORK)
        rules.start(state, options.expansion_bits, int(options.queen_first), 0)
        survey = _read_survey(rules.survey(state, work), work)
        return cls(options, state, survey, {}, (int(rules.position_key(state)),))

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
        state, work = copy_record(self._state, STATE), new_record(WORK)
        survey = _read_survey(rules.make_and_survey(state, work, move), work)
        key = int(work["key"])
        placed = bool(move & rules.FROM_HAND) and move != PASS
        keys = (key,) if placed else (*self._keys, key)
        if move == PASS:
            return HivePosition(self.options, state, survey, self._cells, keys, move)
        target = self.target_of(move)
        cells = self._cells.copy()
        origin = None
        if not placed:
            left = int(self._state["cell_of"][move >> 10 & 31])
            origin = cells[left]
            if not int(state["cells"][left]) >> 12:
                del cells[left]
        cells[move & 1023] = target
        last_move = LastMove(self.tile_of(move), origin, target)
        return HivePosition(self.options, state, survey, cells, keys, move, last_move)

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

    @functools.cached_property
    def _placed(self) -> int:
        """The slots of the tiles on the board, a bit each."""
        white, black = self._state["placed"].tolist()
        return int(white | black << 16)

    def is_placed(self, tile: Tile) -> bool:
        """Whether the tile is on the board."""
        return bool(self._placed >> slot_of_tile(tile) & 1)

    def find_move_beside(
        self, tile: Tile, reference: Tile | None, direction: Direction | None
    ) -> Move | None:
        """The legal move of `tile` to that side of `reference`, which is on the board, or onto it.

        Without a reference: the first move of a match.
        """
        slot = slot_of_tile(tile)
        torus = START
        if reference is not None:
            torus = int(self._state["cell_of"][slot_of_tile(reference)])
            if direction is not None:
                torus = (torus + _TORUS_STEPS[direction]) & 1023
        move = Move(slot << 10 | torus)
        if not self.is_placed(tile):
            move = Move(move | rules.FROM_HAND)
        return move if move in self.moves else None

    def choose_reference(self, move: Move) -> tuple[Tile | None, Direction | None]:
        """The tile by which a move is written, and on which side of that tile it ends.

        The one below; else of the tiles around the target the one in the west, or the next one
        clockwise. The mover itself does not count.
        """
        torus = move & 1023
        if torus in self._cells:
            return TILES[int(self._state["top"][torus])], None
        for seen_in in (5, 0, 1, 2, 3, 4):
            beside = (torus + _TORUS_STEPS[seen_in]) & 1023
            if beside in self._cells:
                tile = self._visible_without(beside, move >> 10 & 31)
                if tile is not None:
                    return tile, Direction((seen_in + 3) % 6)
        return None, None

    def _visible_without(self, torus: int, mover: int) -> Tile | None:
        """The tile that one sees on an occupied cell once the mover is lifted."""
        slot = int(self._state["top"][torus])
        if slot != mover:
            return TILES[slot]
        if int(self._state["cells"][torus]) >> 12 & 7 == 1:
            return None
        return TILES[int(self._state["under"][slot])]

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


def _read_survey(survey: int, work: Record) -> tuple[int, tuple[Move, ...]]:
    """The result and the legal moves that `rules.survey` reports."""
    return int(survey) & 3, tuple(work["moves"][: int(survey) >> 2].tolist())


def as_hive_position(position: Position[Any]) -> HivePosition:
    """This position; refuses another game's."""
    if not isinstance(position, HivePosition):
        raise SettingError(f"{type(position).__name__}: expected a HivePosition")
    return position
