"""Dates that open and close a contest's entry by themselves, whoever looks first after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.choices import ContestState
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store


def due_state(contest: Contest, now_ns: int) -> ContestState | None:
    """The state to which the contest goes on by now; None: it stays where it is.

    A draft opens by itself once it is published: until then its organiser may still be at work.
    """
    if (
        contest.state is ContestState.DRAFT
        and contest.published
        and is_past(contest.opens_ns, now_ns)
    ):
        return ContestState.OPEN
    if contest.state is ContestState.OPEN and is_past(contest.closes_ns, now_ns):
        return ContestState.CLOSED
    return None


def keep_dates(store: Store, contest: Contest, now_ns: int) -> Contest:
    """The contest as it is after all dates that have passed."""
    while (due := due_state(contest, now_ns)) is not None:
        try:
            contest = store.contests.set_state(contest.id, due)
        except DatastoreError:  # somebody was quicker
            return store.contests.get(contest.id)
    return contest


def is_past(date_ns: int | None, now_ns: int) -> bool:
    """Whether there is such a date, and it has come."""
    return date_ns is not None and date_ns <= now_ns
