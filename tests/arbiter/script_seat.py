"""A seat that plays turns from a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.arbiter.seat import Answer, Seat
from agon.errors import AgonError
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.arbiter.limits import Limits
    from agon.games.game import JsonObject, Outcome, Position


class ScriptSeat(Seat):
    """Turns from a list of texts."""

    def __init__(self, name: str, turns: Sequence[str]) -> None:
        """It plays these turns in order; with none left it fails."""
        self.name = name
        self._turns: Iterator[str] = iter(turns)

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "script"}

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        self._seat = seat

    def is_ready(self) -> bool:
        return True

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        text = next(self._turns, None)
        if text is None:
            self.answer = Answer(failure=Failure(Fault.CRASH, "the script has ended"))
            return
        try:
            self.answer = Answer(position.parse_turn(self._seat, text))
        except AgonError as error:
            self.answer = Answer(failure=Failure(Fault.ILLEGAL, str(error)))

    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        """A script does not listen."""

    def end(self, outcome: Outcome | None) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to free."""
