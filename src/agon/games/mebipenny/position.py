"""A position of MebiPenny, for people and programs: immutable, typed, in terms of tiles and seats.

A move is the number that the rules use (see `rules.py`); `tile_of` and `favoured_by` say what it
is.
"""

from __future__ import annotations

import copy
import functools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agon.errors import IllegalMoveError, SettingError
from agon.games.game import JsonObject, Outcome, Position
from agon.games.mebipenny import rules
from agon.games.mebipenny.board import NATURE, NO_OWNER, WORK
from agon.games.mebipenny.move import PASS, Move, Tile
from agon.games.mebipenny.notation import format_move, parse_move
from agon.kernel import copy_record, new_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.games.mebipenny.setup import Setup
    from agon.games.scene import Scene
    from agon.kernel import IntArray, Record

DISQUALIFIED = -1  # R13: less than any score
NO_SEATS_OUT: Mapping[int, str] = MappingProxyType({})
CELL_LETTERS = {NATURE: "#", NO_OWNER: "."} | {seat: str(seat) for seat in range(4)}


class Claim(NamedTuple):
    """R1: a cell that is not free; a wall's owner is None."""

    tile: Tile
    owner: int | None


class MebiPennyPosition(Position[Move]):
    """One moment of a match of MebiPenny."""

    options: MebiPennyOptions

    def __init__(
        self,
        options: MebiPennyOptions,
        seed: int,
        setup: Setup,
        state: Record,
        move: Move | None = None,
        before: Record | None = None,
    ) -> None:
        """Not for callers: use `start` and `play`. `move` led here, from the state `before`."""
        self.options = options
        self.seed = seed
        self.seats = int(setup.record["seats"])
        self.turn = int(state["turn"])
        self.next_seat = self.turn % self.seats
        """The seat whose turn it is or would be."""
        self.out = NO_SEATS_OUT
        """The seats that are disqualified, and why."""
        self.move = move
        self._setup = setup
        self._state = state
        self._before = before
        self.outcome = self._ending()
        self.to_act = () if self.outcome else (self.next_seat,)

    @classmethod
    def start(
        cls, options: MebiPennyOptions, seed: int, players: int | None = None
    ) -> MebiPennyPosition:
        """R2, R4: walls stand and hands are dealt."""
        setup = options.setup(players)
        state = new_record(setup.state)
        word: Any = np.uint64(seed % 2**64)  # the type that simulations have too
        rules.start(setup.record, state, word)
        return cls(options, seed, setup, state)

    def _ending(self) -> Outcome | None:
        """R11, R12."""
        if not self._state["over"]:
            return None
        all_passed = int(self._state["passes"]) == self.seats
        return Outcome(self.scores, "all passed" if all_passed else "no tiles left")

    @property
    def scores(self) -> tuple[int, ...]:
        """R12: the claims of each seat."""
        return tuple(self._state["score"][: self.seats].tolist())

    @property
    def draw_size(self) -> int:
        """How many tiles are left in the pile."""
        return int(self._state["draw_size"])

    @functools.cached_property
    def hands(self) -> tuple[tuple[Tile, ...], ...]:
        """R4: the tiles of each seat, the oldest first."""
        sizes = self._state["hand_size"].tolist()
        numbers = self._state["hands"].tolist()
        return tuple(
            tuple(map(self.tile, numbers[seat][: sizes[seat]])) for seat in range(self.seats)
        )

    def tile(self, number: int) -> Tile:
        """The tile that the rules give this number."""
        return Tile(*divmod(number, self.options.cols))

    def number_of(self, tile: Tile) -> int:
        """The number that the rules give this tile."""
        return tile.row * self.options.cols + tile.col

    def is_on_board(self, tile: Tile) -> bool:
        """R1: whether there is such a tile."""
        return 0 <= tile.row < self.options.rows and 0 <= tile.col < self.options.cols

    @functools.cached_property
    def owners(self) -> IntArray:
        """The owner of each cell, rows by columns: a seat, or NO_OWNER, or NATURE for a wall."""
        return self._owners_in(self._state)

    def _owners_in(self, state: Record) -> IntArray:
        owners = np.empty(self.options.rows * self.options.cols, np.int8)
        rules.list_owners(self._setup.record, state, owners)
        owners.flags.writeable = False
        return owners.reshape(self.options.rows, self.options.cols)

    @property
    def last_tile(self) -> Tile | None:
        """The tile that was played on the last turn."""
        return None if self.move in (None, PASS) else self.tile_of(self.move)

    @functools.cached_property
    def captured(self) -> tuple[Tile, ...]:
        """R7: the claims that the last turn gave to another seat."""
        if self._before is None or self.last_tile is None:
            return ()
        before = self._owners_in(self._before)
        changed = (before != self.owners) & (before != NO_OWNER)
        return tuple(Tile(row, col) for row, col in np.argwhere(changed).tolist())

    def claims(self, since: MebiPennyPosition | None = None) -> Iterator[Claim]:
        """All claims and walls, row by row; or those that are not as they were in that position."""
        before = NO_OWNER if since is None else since.owners
        for row, col in np.argwhere(self.owners != before).tolist():
            owner = int(self.owners[row, col])
            yield Claim(Tile(row, col), None if owner == NATURE else owner)

    @functools.cached_property
    def moves(self) -> tuple[Move, ...]:
        """All legal moves of the seat to move."""
        if not self.to_act:
            return ()
        work = new_record(WORK)
        count = rules.list_moves(self._setup.record, self._state, work)
        return tuple(work["moves"][:count].tolist())

    def legal_moves(self, seat: int) -> Sequence[Move]:
        return self.moves if seat in self.to_act else ()

    def random_turn(self, seat: int, rng: Random) -> Move:
        return rng.choice(self.legal_moves(seat))

    def tile_of(self, move: Move) -> Tile:
        """The tile that a move plays."""
        return self.tile(move >> 2)

    def favoured_by(self, move: Move) -> int:
        """The seat that a move favours; the one that moves if there is no tie."""
        return move & 3

    def encode_move(self, tile: Tile, favoured: int) -> Move:
        """The move that plays this tile, which may be illegal."""
        return self.number_of(tile) << 2 | favoured

    def tied_seats(self, tile: Tile) -> tuple[int, ...]:
        """R8: the seats between which the move of this tile decides; none if there is no tie."""
        number = self.number_of(tile)
        tied = int(rules.tied_seats(self._setup.record, self._state, new_record(WORK), number))
        return tuple(seat for seat in range(self.seats) if tied >> seat & 1)

    def play(self, turns: Mapping[int, Move]) -> MebiPennyPosition:
        self.check_turns(turns)
        return self.play_move(turns[self.next_seat])

    def play_move(self, move: Move) -> MebiPennyPosition:
        """The position after a legal move."""
        if move not in self.moves:
            raise IllegalMoveError(f"move {move!r}: not legal here")
        state = copy_record(self._state, self._setup.state)
        rules.play(self._setup.record, state, new_record(WORK), move)
        return MebiPennyPosition(self.options, self.seed, self._setup, state, move, self._state)

    def drop(self, faults: Mapping[int, str]) -> MebiPennyPosition:
        """R13: they are disqualified, and the match is over."""
        dropped = copy.copy(self)
        dropped.out = MappingProxyType({**self.out, **faults})
        scores = (DISQUALIFIED if s in dropped.out else n for s, n in enumerate(self.scores))
        reasons = (f"seat {seat} disqualified: {dropped.out[seat]}" for seat in sorted(dropped.out))
        dropped.outcome = Outcome(tuple(scores), ", ".join(reasons))
        dropped.to_act = ()
        return dropped

    def redeal(self, seat: int, seed: int) -> MebiPennyPosition:
        """Another position that the seat cannot tell from this one: what it does not know is new.

        The others' hands are dealt anew, and so is all chance to come; what is played from there on
        says nothing about this match.
        """
        state = copy_record(self._state, self._setup.state)
        word: Any = np.uint64(seed % 2**64)
        rules.redeal(self._setup.record, state, seat, word)
        dealt = copy.copy(self)
        dealt.seed = seed
        dealt._state = state
        return dealt

    def copy_state(self) -> Record:
        """The record that the rules work on, to do with as one likes."""
        return copy_record(self._state, self._setup.state)

    @property
    def setup(self) -> Setup:
        """What is fixed for the match, as the rules take it."""
        return self._setup

    def parse_turn(self, seat: int, text: str) -> Move:
        """A turn such as `3,14`, `3,14 favor 2` or `PASS`."""
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")
        return parse_move(self, text)

    def format_turn(self, seat: int, turn: Move) -> str:
        return format_move(self, turn)

    def observe(self, seat: int | None) -> JsonObject:
        """The board, and the hands as the seat sees them: its own tiles, the others' numbers.

        The board is a text for each row: `.` free, `#` a wall, else the seat that owns the cell.
        """
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        sees_moves = seat is None or seat in self.to_act
        moves = self.legal_moves(self.next_seat) if sees_moves else ()
        return {
            "rows": self.options.rows,
            "cols": self.options.cols,
            "seats": self.seats,
            "turn": self.turn,
            "to_act": list(self.to_act),
            "board": [
                "".join(CELL_LETTERS[owner] for owner in row) for row in self.owners.tolist()
            ],
            "scores": list(self.scores),
            "hands": [
                [list(tile) for tile in hand] if seat in (None, other) else len(hand)
                for other, hand in enumerate(self.hands)
            ],
            "draw_size": self.draw_size,
            "legal_moves": [format_move(self, move) for move in moves],
            "outcome": outcome,
        }

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        """The board, and the hands that the seat sees."""
        from agon.games.mebipenny.scene import mebipenny_scene

        return mebipenny_scene(self, seat, names)
