"""A position of a small game: immutable, with the moves that led to it."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError
from agon.games.game import NOTHING_FORCED, Outcome, Position
from agon.games.reasons import format_failure
from agon.games.sequential.kernels import build_setup
from agon.kernel import copy_record, new_record, new_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agon.games.game import JsonObject, Options
    from agon.games.scene import Scene
    from agon.games.sequential.game import SequentialGame
    from agon.kernel import Record

FAILED = -1
"""The score of a seat that failed: less than any other."""
NO_SEATS_OUT: Mapping[int, str] = MappingProxyType({})


class SequentialPosition(Position[int]):
    """One moment of a match."""

    def __init__(
        self,
        game: SequentialGame,
        options: Options,
        seed: int,
        seats: int,
        state: Record,
        history: tuple[str, ...] = (),
        last_place: tuple[int, int] | None = None,
        out: Mapping[int, str] = NO_SEATS_OUT,
    ) -> None:
        """Not for callers: use `start` and `play`."""
        self.game = game
        self.options = options
        self.seed = seed
        self.seats = seats
        self.state = state
        """The record of the rules; to be read, never to be written."""
        self.history = history
        """The texts of the moves that were played."""
        self.last_place = last_place
        """The row and column of the last move, if it had a place."""
        self.out = out
        """The seats that failed, and why."""
        self.turn = len(history)
        self.outcome = self._ending()
        self.to_act = () if self.outcome else (self.next_seat,)
        self.forced = NOTHING_FORCED
        if self.to_act and self.next_seat in out:
            self.forced = MappingProxyType({self.next_seat: self.moves[0]})

    @classmethod
    def start(
        cls, game: SequentialGame, options: Options, seed: int, seats: int
    ) -> SequentialPosition:
        rules = game.part("rules")
        state = new_record(rules.STATE)
        word: Any = np.uint64(seed % 2**64)  # the type that simulations have too
        rules.start(build_setup(options, seats)[0], state, word)
        return cls(game, options, seed, seats, state)

    @property
    def rules(self) -> Any:
        """The game's module of rules."""
        return self.game.part("rules")

    @functools.cached_property
    def setup(self) -> Record:
        """The options as kernels take them."""
        return build_setup(self.options, self.seats)[0]

    @property
    def next_seat(self) -> int:
        """The seat whose turn it is or would be."""
        return int(self.rules.seat_to_act(self.setup, self.state))

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the match."""
        return bool(self.rules.is_over(self.setup, self.state))

    def _ending(self) -> Outcome | None:
        if len(self.out) >= self.seats - 1:
            reasons = [format_failure(seat, self.out[seat]) for seat in sorted(self.out)]
            left = tuple(int(seat not in self.out) for seat in range(self.seats))
            return Outcome(left, ", ".join(reasons))
        if not self.is_over:
            return None
        scores = tuple(
            FAILED if seat in self.out else int(self.rules.score(self.setup, self.state, seat))
            for seat in range(self.seats)
        )
        return Outcome(scores, self.game.tell_ending(self))

    @functools.cached_property
    def moves(self) -> tuple[int, ...]:
        """All legal moves of the seat to move."""
        if not self.to_act:
            return ()
        moves = np.zeros(self.rules.MOST_MOVES, np.int64)
        count = self.rules.list_moves(self.setup, self.state, moves)
        return tuple(moves[:count].tolist())

    def copies(self, count: int) -> Any:
        """Records for kernels to work with, each with this state."""
        states = new_records(self.rules.STATE, count)
        for place in range(count):
            states[place] = self.state
        return states

    def legal_moves(self, seat: int) -> Sequence[int]:
        return self.moves if seat in self.to_act else ()

    def random_turn(self, seat: int, rng: Random) -> int:
        return rng.choice(self.legal_moves(seat))

    def play(self, turns: Mapping[int, int]) -> SequentialPosition:
        self.check_turns(turns)
        ((seat, move),) = turns.items()
        if move not in self.moves:
            raise IllegalMoveError(f"move {move!r} of seat {seat}: not legal here")
        state = copy_record(self.state, self.rules.STATE)
        self.rules.play(self.setup, state, move)
        history = (*self.history, self.game.format_move(self, move))
        return self._with(state, history, self.game.place_of(self, move), self.out)

    def drop(self, faults: Mapping[int, str]) -> SequentialPosition:
        """The match without these seats: over if one is left, else their moves are the first legal.

        A seat that failed comes last.
        """
        out = MappingProxyType({**faults, **self.out})
        return self._with(self.state, self.history, self.last_place, out)

    def _with(
        self,
        state: Record,
        history: tuple[str, ...],
        place: tuple[int, int] | None,
        out: Mapping[int, str],
    ) -> SequentialPosition:
        return SequentialPosition(
            self.game, self.options, self.seed, self.seats, state, history, place, out
        )

    def parse_turn(self, seat: int, text: str) -> int:
        return self.game.parse_move(self, text)

    def format_turn(self, seat: int, turn: int) -> str:
        return self.game.format_move(self, turn)

    def observe(self, seat: int | None) -> JsonObject:
        """All there is: everything is open."""
        outcome: JsonObject | None = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        return {
            "turn": self.turn,
            "to_act": list(self.to_act),
            "board": [list(row) for row in self.game.cells(self)],
            "history": list(self.history),
            "legal_moves": [self.game.format_move(self, move) for move in self.moves],
            "outcome": outcome,
        }

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        return self.game.draw(self, names)
