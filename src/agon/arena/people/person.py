"""A person at the board, as the arbiter sees one.

A match is played in a thread of its own; what a person does comes from the website's threads. It
is left here, and a bell wakes the match.
"""

from __future__ import annotations

import os
import select
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.arbiter.seat import Answer, Seat
from agon.errors import IllegalMoveError
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.limits import Limits
    from agon.games.game import JsonObject, Outcome, Position

RESIGNED = Failure(Fault.RESIGNED, "")


def _nothing_happens() -> None:
    """For seats whose table needs no interruption."""


class PersonSeat(Seat):
    """Somebody who thinks as long as it takes, up to a patience that ends every match."""

    def __init__(
        self, name: str, patience_ns: int, on_bell: Callable[[], None] = _nothing_happens
    ) -> None:
        """`on_bell` is called in the match's thread when the bell rings, and may raise."""
        self.name = name
        self.patience_ns = patience_ns
        self._on_bell = on_bell
        self._given: tuple[Position[Any], Any] | None = None
        self._asked: Position[Any] | None = None
        self._has_left = False
        self._lock = Lock()
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._is_closed = False

    @property
    def has_left(self) -> bool:
        """Whether the person has given up; who is out for another reason has not."""
        return self._has_left

    def has_given(self, position: Position[Any]) -> bool:
        """Whether there is a turn for this position already."""
        with self._lock:
            return self._given is not None and self._given[0] is position

    def give(self, position: Position[Any], turn: Any) -> None:
        """The person's turn in this position. From any thread, even before it is asked for."""
        with self._lock:
            if self._given is not None and self._given[0] is position:
                raise IllegalMoveError("your turn was sent already")
            self._given = position, turn
        self.ring()

    def leave(self) -> None:
        """The person gives up. From any thread."""
        with self._lock:
            self._has_left = True
        self.ring()

    def ring(self) -> None:
        """Something has happened that the match should look at. From any thread."""
        with self._lock:
            if not self._is_closed:
                os.eventfd_write(self._bell, 1)

    def describe(self) -> JsonObject:
        """A name, and that it is no bot."""
        return {"name": self.name, "kind": "person"}

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        """The person sees the board on a page."""

    def is_ready(self) -> bool:
        """Always."""
        return True

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """It may have been given already: others may have thought in the meantime."""
        self._on_bell()
        self._asked = position
        self._settle()

    def on_event(self, descriptor: int) -> None:
        """The bell has rung."""
        with suppress(BlockingIOError):
            os.eventfd_read(descriptor)
        self._on_bell()
        self._settle()

    def _settle(self) -> None:
        with self._lock:
            if self._has_left:
                self.answer = Answer(failure=RESIGNED)
            elif self._given is not None and self._given[0] is self._asked:
                self.answer = Answer(self._given[1])

    def waits_on(self) -> Sequence[tuple[int, int]]:
        """The bell."""
        return ((self._bell, select.POLLIN),)

    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        """The page shows it."""

    def end(self, outcome: Outcome | None) -> None:
        """The page shows it."""

    def close(self) -> None:
        """Free the bell."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                os.close(self._bell)
