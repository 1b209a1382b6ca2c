"""A position of Atlantis, for people and programs: immutable, typed, in terms of fields.

A turn is a tuple of moves, each the number that the rules use (see `board.py`); the empty tuple is
a pass.
"""

from __future__ import annotations

import functools
from copy import copy
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from agon.errors import IllegalMoveError, SettingError
from agon.games.atlantis import areas, explosion, movement, rules
from agon.games.atlantis.board import GROWING, NO_OWNER, source_of
from agon.games.atlantis.ground import survey_ground
from agon.games.atlantis.notation import (
    explain,
    format_coordinate,
    format_turn,
    parse_turn,
)
from agon.games.game import NOTHING_FORCED, JsonObject, Outcome, Position
from agon.kernel import copy_record, new_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from agon.games.atlantis.game import AtlantisOptions
    from agon.games.atlantis.ground import Ground
    from agon.games.scene import Scene
    from agon.kernel import Record

Turn: TypeAlias = tuple[int, ...]

NO_MOVE = 0
"""What `legal_moves` has for a seat that can only pass; in a turn it stands for nothing."""
PASSING: Mapping[int, Mapping[int, Turn]] = {
    seat: MappingProxyType({seat: ()}) for seat in range(NO_OWNER)
}
NO_SEATS_OUT: Mapping[int, str] = MappingProxyType({})
NONE: frozenset[int] = frozenset()
LARGEST_MOVE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Field:
    """A field as it is now."""

    number: int
    x: int
    y: int
    name: str
    segment: int
    kind: int
    """OPEN, GROWING or DEAD."""
    owner: int | None
    """The seat whose stones lie there, who holds the growing field, or held the dead one."""
    stones: int


class AtlantisPosition(Position[Turn]):
    """One moment of a match."""

    options: AtlantisOptions

    def __init__(
        self,
        options: AtlantisOptions,
        ground: Ground,
        state: Record,
        out: Mapping[int, str] = NO_SEATS_OUT,
        last_turn: Turn | None = None,
        highlight: frozenset[int] = NONE,
        failed: frozenset[int] = NONE,
    ) -> None:
        """Not for callers: use `start` and `play`."""
        self.options = options
        self.ground = ground
        self.board = ground.board
        self.setup = ground.setup
        self.coordinates = ground.coordinates
        self.numbers = ground.numbers
        self.names = ground.names
        self.segments = ground.segments
        """The segment of each field, by its number."""
        self.state = state
        """The record of the rules. It is never changed: see `copy_state`."""
        self.seats = len(ground.board.stacks)
        """0 if this is a board without players, which is there to be looked at."""
        self.turn = int(state["turn"])
        self.seat = self.turn % self.seats if self.seats else 0
        """R4: whose turn it is, or would be."""
        self.out = out
        """R17: the seats that failed, and how."""
        self.last_turn = last_turn
        """The turn that led here."""
        self.failed = failed
        """The seats that failed since that turn."""
        self.highlight = highlight
        """Fields that moved, exploded or grew, if this is a stage of a turn."""
        self.outcome = self._ending() if state["over"] and self.seats else None
        self.to_act = () if state["over"] else (self.seat,)
        asked = state["over"] or state["asked"]
        self.forced = NOTHING_FORCED if asked else PASSING[self.seat]

    @classmethod
    def start(cls, options: AtlantisOptions, seats: int | None, seed: int = 0) -> AtlantisPosition:
        """The board before the first turn."""
        ground = survey_ground(options, seats)
        state = new_record(ground.records.state)
        word: Any = np.uint64(seed % 2**64)  # the type that simulations have too
        rules.start(ground.setup, state, word)
        return cls(options, ground, state)

    def with_colours(self, said: tuple[str, ...]) -> AtlantisPosition:
        """The same between players of these colours, as their document says them."""
        changed = copy(self)
        changed.ground = replace(self.ground, colours=said)
        return changed

    def copy_state(self) -> Record:
        """The record that the rules work on, to do with as one likes."""
        return copy_record(self.state, self.ground.records.state)

    def new_work(self) -> Record:
        """Scratch space for the rules."""
        return new_record(self.ground.records.work)

    def _ending(self) -> Outcome:
        """R14, R15, R17, R18: seats are ranked, so their scores are how many each left behind."""
        state, seats = self.state, self.seats
        points = tuple(state["score"][:seats].tolist())
        if len(self.out) >= seats - 1:
            reason = ", ".join(f"seat {seat}: {self.out[seat]}" for seat in sorted(self.out))
        else:
            ended = "standstill" if int(state["idle_turns"]) >= seats else "all areas stable"
            reason = f"{ended}: {' - '.join(map(str, points))} fields"
        if len(self.out) == seats:
            return Outcome((0,) * seats, reason, points)
        ranks = [int(rules.rank(self.setup, state, seat)) for seat in range(seats)]
        return Outcome(tuple(seats - 1 - rank for rank in ranks), reason, points)

    # --- turns ---

    @functools.cached_property
    def moves(self) -> tuple[int, ...]:
        """All single moves of the seat whose turn it is, legal ones; they may be none."""
        if not self.to_act or self.seat in self.out:
            return ()
        state = self.state
        codes = np.zeros(int(movement.count_moves(self.setup, state)), np.int32)
        movement.list_moves(self.setup, state, codes)
        return tuple(codes.tolist())

    def legal_moves(self, seat: int) -> Sequence[Any]:
        """The single moves of the seat, or NO_MOVE alone if it has none and can only pass."""
        if seat not in self.to_act:
            return ()
        return self.moves or (NO_MOVE,)

    def random_turn(self, seat: int, rng: Random) -> Turn:
        """A turn by chance, as the README says."""
        self._check_seat(seat)
        if self.forced:
            return ()
        state, work = self.copy_state(), self.new_work()
        state["random"] = rng.getrandbits(64)
        count = int(movement.choose_random_turn(self.setup, state, work))
        return tuple(work["moves"][:count].tolist())

    def _check_seat(self, seat: int) -> None:
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")

    def check_length(self, moves: int) -> None:
        """R6, R17: refuse more moves than there are segments, or any of a seat that is out."""
        if moves > len(self.board.segments):
            raise IllegalMoveError(
                f"turn {self.turn} of {moves} moves: expected at most one from each of"
                f" {len(self.board.segments)} segments"
            )
        if moves and self.seat in self.out:
            raise IllegalMoveError(f"turn {self.turn}: seat {self.seat} is out, and only passes")

    def check_legal(self, turn: Turn) -> Record:
        """R6: raise IllegalMoveError for a turn that is not legal; returns work that holds it."""
        self.check_length(len(turn))
        for move in turn:
            if not 0 < move <= LARGEST_MOVE:
                raise IllegalMoveError(f"move {move}: expected the number of a move")
        work = self.new_work()
        work["moves"][: len(turn)] = turn
        if turn:
            verdict = int(movement.check_turn(self.setup, self.state, work, len(turn)))
            if verdict != movement.LEGAL:
                raise explain(self, turn, verdict)
        return work

    def play(self, turns: Mapping[int, Turn]) -> AtlantisPosition:
        self.check_turns(turns)
        return self.play_turn(turns[self.seat])

    def play_turn(self, turn: Turn) -> AtlantisPosition:
        """The position after a legal turn of the seat to act."""
        turn = tuple(move for move in turn if move != NO_MOVE)
        work, state = self.check_legal(turn), self.copy_state()
        rules.play_turn(self.setup, state, work, len(turn))
        return AtlantisPosition(self.options, self.ground, state, self.out, turn)

    def stages(self, turns: Mapping[int, Turn]) -> Sequence[tuple[str, AtlantisPosition]]:
        """R4: after the moves, after each wave of explosions (R11), and after growth."""
        self.check_turns(turns)
        turn = turns[self.seat]
        setup, state, work = self.setup, self.copy_state(), self.check_legal(turn)
        found = []
        for move in turn:
            movement.carry_out(setup, state, move)
        if turn:
            targets = map(self.ground.target_of, turn)
            found.append(("moves", self._stage(state, turn, targets)))
        first, last, wave = 0, int(explosion.find_volatile(setup, state, work)), 0
        while first < last:
            exploding = work["volatile"][first:last].tolist()
            end = int(explosion.explode_wave(setup, state, work, first, last))
            first, last, wave = last, end, wave + 1
            found.append((f"wave {wave}", self._stage(state, turn, exploding)))
        growing = np.flatnonzero((state["kind"] == GROWING) & (state["owner"] == self.seat))
        changes = last + int(explosion.growth_phase(setup, state))
        rules.end_turn(setup, state, work, changes)
        found.append(("growth", self._stage(state, turn, growing.tolist())))
        return found

    def _stage(self, state: Record, turn: Turn, fields: Iterable[int]) -> AtlantisPosition:
        kept = copy_record(state, self.ground.records.state)
        return AtlantisPosition(self.options, self.ground, kept, self.out, turn, frozenset(fields))

    def drop(self, faults: Mapping[int, str]) -> AtlantisPosition:
        """R17: a seat that fails passes from now on, and ranks behind the others."""
        state, work = self.copy_state(), self.new_work()
        for seat in faults:
            rules.drop_seat(self.setup, state, work, seat)
        out, failed = {**faults, **self.out}, self.failed | (faults.keys() - self.out.keys())
        return AtlantisPosition(
            self.options, self.ground, state, out, self.last_turn, failed=failed
        )

    def parse_turn(self, seat: int, text: str) -> Turn:
        """Moves such as `a1-b2 c3-c5`, or `pass`."""
        self._check_seat(seat)
        return parse_turn(self, text)

    def format_turn(self, seat: int, turn: Turn) -> str:
        return format_turn(self, tuple(move for move in turn if move != NO_MOVE))

    # --- what there is ---

    @functools.cached_property
    def fields(self) -> tuple[Field, ...]:
        """All fields in the order of their numbers."""
        kinds, owners, stones = (self.state[key].tolist() for key in ("kind", "owner", "stones"))
        return tuple(
            Field(
                number,
                x,
                y,
                self.names[number],
                self.segments[number],
                kinds[number],
                None if owners[number] == NO_OWNER else owners[number],
                stones[number],
            )
            for (x, y), number in self.numbers.items()
        )

    @functools.cached_property
    def scores(self) -> tuple[int, ...]:
        """R15: the points so far, which are those of areas that are stable now."""
        state, work = self.copy_state(), self.new_work()
        areas.count_scores(self.setup, state, work)
        return tuple(state["score"][: self.seats].tolist())

    def stacks(self, seat: int) -> dict[str, int]:
        """The fields of a seat as transcripts tell them: below 0 growing, 0 dead."""
        signs = (1, -1, 0)
        return {f.name: signs[f.kind] * f.stones for f in self.fields if f.owner == seat}

    @functools.cached_property
    def last_moves(self) -> tuple[tuple[int, int], ...]:
        """Where each move of the last turn started and where it went, by the fields' numbers."""
        return tuple((source_of(m), self.ground.target_of(m)) for m in self.last_turn or ())

    def observe(self, seat: int | None) -> JsonObject:
        """Everything: nothing is hidden in Atlantis."""
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        segments: list[Any] = [
            [format_coordinate(place) for place in segment] for segment in self.board.segments
        ]
        return {
            "turn": self.turn,
            "to_act": list(self.to_act),
            "asked": bool(self.to_act and not self.forced),
            "out": {str(number): self.out[number] for number in sorted(self.out)},
            "segments": segments,
            "stacks": [dict(self.stacks(number)) for number in range(self.seats)],
            "scores": list(self.scores),
            "moves": [format_turn(self, (move,)) for move in self.moves],
            "outcome": outcome,
        }

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        from agon.games.atlantis.scene import atlantis_scene

        return atlantis_scene(self, names)
