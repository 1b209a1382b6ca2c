"""Waiting for seats: which have answered, which are out of time, which are paused meanwhile."""

from __future__ import annotations

import select
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.arbiter.limits import GRACE_NS, MILLISECOND_NS
from agon.sandbox.core_times import is_runnable, own_wait_ns, ran_between, waited_between

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arbiter.seat import Seat
    from agon.sandbox.core_times import CoreTimes

LONGEST_WAIT_NS = 60 * 10**9  # poll takes no endless time
GRACE_MS = GRACE_NS // MILLISECOND_NS
LOOK_NS = 10 * MILLISECOND_NS  # at a seat that waits for a core

Sources: TypeAlias = "list[Sequence[tuple[int, int]]]"
"""By seat the file descriptors and events that it waits for."""


@dataclass(slots=True)
class Question:
    """When a seat was asked, and when it answered; readings of the clock in nanoseconds."""

    asked: int = 0
    deadline: int | None = None
    answered: int | None = None
    took: int = LONGEST_WAIT_NS
    """How long the answer before this question took; before the first one that is not known."""
    times: CoreTimes | None = None
    """Of the seat soon after it was asked; None: not looked at yet."""
    last_times: CoreTimes | None = None
    """When it was last measured."""
    ran: int = 0
    waited: int = 0
    """Between these: how long it ran, and waited for a core."""
    rest: int = LONGEST_WAIT_NS
    """How long it did neither, at most."""

    def forget(self) -> None:
        """Another question is asked: of this one nothing is measured yet."""
        self.times = self.last_times = None
        self.ran = self.waited = 0
        self.rest = LONGEST_WAIT_NS

    @property
    def is_slow(self) -> bool:
        """Whether the answer before took so long that it is worth while to measure this one."""
        return self.took > GRACE_NS


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
            before = 0 if may_go_on else own_wait_ns()
            has_event = self._serve(waiting, patience)
            woken_late = 0 if may_go_on else own_wait_ns() - before
            if not has_event and may_go_on:
                for seat in self.idle(waiting):
                    seat.pause()
                may_go_on = False
            now = self._clock()
            left = []
            for number in waiting:
                if is_done(self._seats[number]):
                    question = self.questions[number]
                    question.answered = max(question.asked, now - woken_late)
                elif number not in overdue:  # those have had their last chance
                    if now - self.questions[number].asked > GRACE_NS:
                        self.look(number)
                    left.append(number)
            may_go_on = may_go_on or len(left) < len(waiting)
            waiting = left

    def look(self, number: int) -> None:
        """Note how long a seat that has been asked ran and waited for a core until now."""
        question = self.questions[number]
        if question.times is None and question.deadline is not None:
            question.times = self._seats[number].core_times()

    def measure(self, number: int, now: int) -> None:
        """Note how long it ran and waited since then."""
        question = self.questions[number]
        if question.times is not None:
            times = self._seats[number].core_times()
            question.ran = ran_between(question.times, times)
            question.waited = waited_between(question.times, times, now - question.asked)
            question.last_times = times

    def _taken(self, number: int, now: int) -> int:
        """How long a seat that still thinks could run: its time is over, a core may be missing.

        A wait is counted when it is over. So a seat that could run, but has not since the last
        look, may have waited for all of the time in which it did not run. One that has run since
        may wait again, for less than that: the shortest rest of all looks is nearest to the truth.
        """
        question = self.questions[number]
        before = question.last_times
        self.measure(number, now)
        times, elapsed = question.last_times, now - question.asked
        if not times or not is_runnable(times):
            return elapsed - question.waited
        if before is None or before == times:
            return question.ran
        question.rest = min(question.rest, elapsed - question.waited - question.ran)
        return question.ran + question.rest

    def idle(self, waiting: Sequence[int]) -> list[Seat]:
        """Seats that are not asked and could think all the same."""
        return [s for n, s in enumerate(self._seats) if n not in waiting and s.can_pause]

    def _patience(self, waiting: Sequence[int], now: int) -> tuple[int, Sequence[int]]:
        """How long to wait for an event, and for which seats this is the last chance.

        A seat has its time, and as much more as it waited for a core, and as this machine was late.
        """
        soonest = LONGEST_WAIT_NS
        overdue = []
        for number in waiting:
            question = self.questions[number]
            if question.deadline is None:
                continue
            left = question.deadline - now
            if left < 0:
                left = question.deadline - question.asked - self._taken(number, now)
                if left + self._late_since(question.asked) < 0:
                    overdue.append(number)
                left = min(max(0, left), LOOK_NS)
            soonest = min(soonest, left)
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
