"""The table at which people sit: they have patience of their own, and may get up at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.arbiter.match import Table
from agon.arbiter.seat import Answer, BotSeat
from agon.errors import AgonError
from agon.games.bot import Budget
from agon.website.play.person import RESIGNED, PersonSeat

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.limits import SeatClock
    from agon.arbiter.seat import Failure
    from agon.games.bot import Bot
    from agon.games.game import Position
    from agon.transcript import Event

HURRIED_NS = 20 * 10**6
"""How long a bot thinks when no person plays any more."""


class DepartureError(AgonError):
    """Somebody got up while it was others' turn."""


class OpponentSeat(BotSeat):
    """A built-in bot that takes its time for people alone."""

    def __init__(
        self,
        name: str,
        make_bot: Callable[[int], Bot[Any]],
        seed: int,
        clock: Callable[[], int],
        is_watched: Callable[[], bool],
    ) -> None:
        """`is_watched`: whether a person still plays."""
        super().__init__(name, make_bot, seed, clock)
        self._is_watched = is_watched

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """Think; not for long if nobody waits to play on."""
        if self._is_watched():
            super().ask(position, deadline)
            return
        budget = Budget(self._clock, self._clock() + HURRIED_NS)
        self.answer = Answer(self._bot.choose(position, self._seat, budget))


class PlayTable(Table):
    """People are not held to the bots' time, and whoever leaves is not waited for.

    A person who is asked answers by leaving. One who is not asked, because it is others' turn,
    interrupts them: `check_departures`, called when a bell rings, raises; the seat is dropped, and
    whoever owes a turn then is asked again.
    """

    def check_departures(self) -> None:
        """Raise DepartureError if somebody has left who is still counted in."""
        if self._departed():
            raise DepartureError("somebody has left the table")

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened so far. From any thread."""
        return tuple(getattr(self, "_events", ()))

    def thought_ns(self, seat: int) -> int:
        """How long a seat has thought in turns that are over. From any thread."""
        clocks: list[SeatClock] = getattr(self, "_clocks", [])
        return clocks[seat].thought if clocks else 0

    @property
    def has_people(self) -> bool:
        """Whether a person still plays."""
        people = (self.seats[n] for n in self._staying)
        return any(isinstance(seat, PersonSeat) and not seat.has_left for seat in people)

    def _departed(self) -> list[int]:
        people = ((number, self.seats[number]) for number in self._staying)
        return [n for n, seat in people if isinstance(seat, PersonSeat) and seat.has_left]

    def _play_turns(self, before: Position[Any]) -> Position[Any]:
        try:
            return super()._play_turns(before)
        except DepartureError:
            failures: dict[int, Failure] = dict.fromkeys(self._departed(), RESIGNED)
            return self._drop(before, failures)

    def _deadline(self, clock: SeatClock, now: int) -> int | None:
        number = next(n for n, one in enumerate(self._clocks) if one is clock)
        seat = self.seats[number]
        if isinstance(seat, PersonSeat):
            return now + seat.patience_ns
        return super()._deadline(clock, now)
