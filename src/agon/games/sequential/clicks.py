"""A turn of a small game is one click: the place of a move, or its button."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agon.games.clicks import Choice, Draft, check_seat, overlay, take_step
from agon.games.sequential.look import PIECE
from agon.games.sequential.position import SequentialPosition
from agon.games.sequential.scene import fit_board, middle
from agon.games.shapes import Disc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.clicks import Step
    from agon.games.game import Position
    from agon.games.scene import Scene


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    return take_step(MoveDraft(SequentialPosition.of(position), names), picks)


@dataclass(frozen=True, slots=True)
class MoveDraft(Draft):
    """Nothing yet, or a move."""

    position: SequentialPosition
    names: Sequence[str] = ()
    move: int | None = None

    @property
    def prompt(self) -> str:
        if self.move is None:
            return "Choose one of the lit places" if self._placed() else "Choose a move"
        return f"{self._words(self.move)}: send the turn, or take it back"

    def choices(self) -> Sequence[Choice]:
        """The moves that have a place of their own."""
        moves = () if self.move is not None else self._placed().values()
        return [Choice(self._id(move), self._words(move)) for move in moves]

    def buttons(self) -> Sequence[Choice]:
        """All other moves."""
        if self.move is not None:
            return ()
        placed = {*self._placed().values()}
        others = [move for move in self.position.moves if move not in placed]
        return [Choice(self._id(move), self._words(move)) for move in others]

    def pick(self, choice: str) -> tuple[Draft, str]:
        move = next(move for move in self.position.moves if self._id(move) == choice)
        return replace(self, move=move), self._words(move)

    def turn(self) -> str | None:
        return (
            None if self.move is None else self.position.game.format_move(self.position, self.move)
        )

    def scene(self) -> Scene:
        """The board with lit places, or with the one that was picked."""
        fit = fit_board(self.position.game.cells(self.position))
        shown = {place: move for place, move in self._placed().items() if self.move in (None, move)}
        role = "choice" if self.move is None else "picked"
        rings = [
            Disc(
                self._id(move),
                role,
                *fit.place(*middle(*place)),
                radius=PIECE * fit.scale,
                tip=self._words(move),
            )
            for place, move in shown.items()
        ]
        return overlay(self.position.scene(None, self.names), rings)

    def _placed(self) -> dict[tuple[int, int], int]:
        """The first move of each place."""
        found: dict[tuple[int, int], int] = {}
        for move in self.position.moves:
            place = self.position.game.place_of(self.position, move)
            if place is not None:
                found.setdefault(place, move)
        return found

    def _id(self, move: int) -> str:
        return f"move-{self.position.game.format_move(self.position, move)}"

    def _words(self, move: int) -> str:
        return f"play {self.position.game.format_move(self.position, move)}"
