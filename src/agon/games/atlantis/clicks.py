"""A turn of Atlantis by clicks: stones, then where they go, and again, once for each segment.

Moves are shown carried out, before anything explodes; what was there at the beginning of the turn
decides what may still move (R6). A turn can be sent after any whole move, and at once as a pass.
Picks are `from-b2` and `to-b4`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agon.games.atlantis.board import source_of, stones_of
from agon.games.atlantis.look import HEX
from agon.games.atlantis.position import AtlantisPosition, Turn
from agon.games.atlantis.scene import atlantis_scene, fit_island, middle
from agon.games.clicks import Choice, Draft, Step, check_seat, overlay, take_step
from agon.games.shapes import Hex, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.game import Position
    from agon.games.scene import Scene


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(AtlantisDraft(AtlantisPosition.of(position), names), picks)


@dataclass(frozen=True)
class AtlantisDraft(Draft):
    """Whole moves, and perhaps the field where another one starts."""

    position: AtlantisPosition
    names: Sequence[str] = ()
    moves: Turn = ()
    source: int | None = None

    @property
    def prompt(self) -> str:
        """What to click, and what the turn does as it is."""
        if self.source is not None:
            return f"Choose where stones of {self._name(self.source)} go: a step for each stone"
        also = f"as it is, {self._explosions}"
        if not self._open_moves:
            return f"No other segment can move. Send the turn: {also}"
        if not self.moves:
            return f"Choose stones to move, one stack of each segment; or send a pass: {also}"
        return f"Choose more stones to move, or send the turn: {also}"

    def choices(self) -> Sequence[Choice]:
        """Fields from which stones can move, or those where the picked ones can go."""
        if self.source is None:
            return [Choice(name, self._source_words(field)) for name, field in self._lit.items()]
        return [Choice(self._target_id(m), self._target_words(m)) for m in self._moves_from_source]

    def buttons(self) -> Sequence[Choice]:
        """None: everything is on the board."""
        return ()

    def pick(self, choice: str) -> tuple[Draft, str]:
        """The start of a move, or the rest of it."""
        if self.source is None:
            source = self._lit[choice]
            return replace(self, source=source), self._source_words(source)
        move = next(m for m in self._moves_from_source if self._target_id(m) == choice)
        whole = replace(self, moves=(*self.moves, move), source=None)
        return whole, self._target_words(move)

    def turn(self) -> str | None:
        """The whole moves, if none is half done."""
        if self.source is not None:
            return None
        return self.position.format_turn(self.position.seat, self.moves)

    def scene(self) -> Scene:
        """The island after the moves, with what can be clicked on top."""
        shown = self.position
        if self.moves:
            shown = self.position.stages({self.position.seat: self.moves})[0][1]
        marks = []
        if self.source is not None:
            marks.append(self._mark(self._source_id(self.source), "picked", self.source))
        role = "choice piece" if self.source is None else "choice"
        marks += [self._mark(name, role, field) for name, field in self._lit.items()]
        return overlay(atlantis_scene(shown, self.names), marks)

    @cached_property
    def _open_moves(self) -> Turn:
        """R5, R6: the moves that may be added: of segments that have not moved yet."""
        segments = self.position.segments
        used = {segments[source_of(move)] for move in self.moves}
        return tuple(move for move in self.position.moves if segments[source_of(move)] not in used)

    @property
    def _moves_from_source(self) -> Turn:
        return tuple(move for move in self._open_moves if source_of(move) == self.source)

    @cached_property
    def _lit(self) -> Mapping[str, int]:
        """The fields that may be clicked, by the ids of their shapes."""
        if self.source is None:
            return {self._source_id(source_of(move)): source_of(move) for move in self._open_moves}
        target_of = self.position.ground.target_of
        return {self._target_id(move): target_of(move) for move in self._moves_from_source}

    @cached_property
    def _explosions(self) -> str:
        """How much explodes after the moves so far."""
        stages = self.position.stages({self.position.seat: self.moves})
        count = sum(len(after.highlight) for words, after in stages if words.startswith("wave"))
        if count < 2:
            return ("nothing explodes", "1 field explodes")[count]
        return f"{count} fields explode"

    def _name(self, field: int) -> str:
        return self.position.names[field]

    def _source_id(self, field: int) -> str:
        return f"from-{self._name(field)}"

    def _source_words(self, field: int) -> str:
        stones = self.position.fields[field - 1].stones
        return f"move stones of {self._name(field)}, which has {stones}"

    def _target_id(self, move: int) -> str:
        return f"to-{self._name(self.position.ground.target_of(move))}"

    def _target_words(self, move: int) -> str:
        stones = stones_of(move)
        target = self._name(self.position.ground.target_of(move))
        return f"{stones} stone{'' if stones == 1 else 's'} to {target}"

    def _mark(self, name: str, role: str, field: int) -> Shape:
        fit = fit_island(self.position.fields)
        x, y = middle(*self.position.coordinates[field])
        return Hex(
            name,
            role,
            fit.x + fit.scale * x,
            fit.y + fit.scale * y,
            size=(HEX - 2.5) * fit.scale,
            flat=True,
            tip=self._name(field),
        )
