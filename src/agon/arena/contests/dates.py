"""Dates that open and close a contest's entry: the first request after a date does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.datastore.enums import ContestState
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store


def due_state(contest: Contest, now_ns: int) -> ContestState | None:
    """The state that is due by now; None: the contest stays in its state.

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
    """The contest after all dates that have passed."""
    while (due := due_state(contest, now_ns)) is not None:
        try:
            contest = store.contests.set_state(contest.id, due)
        except DatastoreError:  # another thread was quicker
            return store.contests.get(contest.id)
    return contest


def is_past(date_ns: int | None, now_ns: int) -> bool:
    """Whether the date is set and has come."""
    return date_ns is not None and date_ns <= now_ns
