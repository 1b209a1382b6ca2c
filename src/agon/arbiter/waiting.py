"""Waiting for seats: which have answered, which are out of time, which are paused meanwhile."""

from __future__ import annotations

import select
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.limits import GRACE_NS, MILLISECOND_NS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.seat import Seat

LONGEST_WAIT_NS = 60 * 10**9  # poll takes no endless time
GRACE_MS = GRACE_NS // MILLISECOND_NS

Sources: TypeAlias = "list[Sequence[tuple[int, int]]]"
"""By seat the file descriptors and events that it waits for."""


@dataclass(slots=True)
class Question:
    """When a seat was asked, and when it answered; readings of the clock in nanoseconds."""

    asked: int = 0
    deadline: int | None = None
    answered: int | None = None
    took: int = 0
    """How long the answer before this question took."""


class Waiting:
    """Serves the seats of one match until they have answered."""

    def __init__(
        self,
        seats: Sequence[Seat],
        clock: Callable[[], int],
        late_since: Callable[[int], int],
    ) -> None:
        """`late_since(moment)` is how late this machine was since then."""
        self.questions = [Question() for _ in seats]
        self._seats = seats
        self._clock = clock
        self._late_since = late_since
        self._polls: dict[tuple[int, ...], tuple[Sources, select.poll, dict[int, Seat]]] = {}

    def wait(self, waiting: Sequence[int], is_done: Callable[[Seat], bool]) -> None:
        """Serve these seats until each is done or out of time; note when each was done.

        Seats that need not answer, or have answered, may go on for a moment; then they are paused.
        """
        may_go_on = True
        while waiting:
            milliseconds, overdue = self._patience(waiting, self._clock())
            patience = min(milliseconds, GRACE_MS) if may_go_on else milliseconds
            if not self._serve(waiting, patience) and may_go_on:
                for seat in self.idle(waiting):
                    seat.pause()
                may_go_on = False
            now = self._clock()
            left = []
            for number in waiting:
                if is_done(self._seats[number]):
                    self.questions[number].answered = now
                elif number not in overdue:  # those have had their last chance
                    left.append(number)
            may_go_on = may_go_on or len(left) < len(waiting)
            waiting = left

    def idle(self, waiting: Sequence[int]) -> list[Seat]:
        """Seats that are not asked and could think all the same."""
        return [s for n, s in enumerate(self._seats) if n not in waiting and s.can_pause]

    def _patience(self, waiting: Sequence[int], now: int) -> tuple[int, Sequence[int]]:
        """How long to wait for an event, and for which seats this is the last chance.

        A seat has its time, and as much more as this machine was late since it was asked.
        """
        soonest = LONGEST_WAIT_NS
        overdue = []
        for number in waiting:
            question = self.questions[number]
            if question.deadline is None:
                continue
            left = question.deadline - now
            if left < 0:
                soonest = 0
                if left + self._late_since(question.asked) < 0:
                    overdue.append(number)
            elif left < soonest:
                soonest = left
        return 0 if overdue else soonest // MILLISECOND_NS + 1, overdue

    def _serve(self, waiting: Sequence[int], milliseconds: int) -> bool:
        """Wait for an event; let the seats that are ready read or write. Was there one?"""
        sources = [self._seats[number].waits_on() for number in waiting]
        key = tuple(waiting)
        known = self._polls.get(key)
        if known is None or known[0] != sources:
            known = self._polls[key] = (sources, *self._new_poll(waiting, sources))
        _, poll, owner = known
        ready = poll.poll(milliseconds)
        for descriptor, _ in ready:
            owner[descriptor].on_event(descriptor)
        return bool(ready)

    def _new_poll(
        self, waiting: Sequence[int], sources: Sources
    ) -> tuple[select.poll, dict[int, Seat]]:
        poll = select.poll()
        owner = {}
        for number, waits_on in zip(waiting, sources, strict=True):
            for descriptor, events in waits_on:
                poll.register(descriptor, events)
                owner[descriptor] = self._seats[number]
        return poll, owner
