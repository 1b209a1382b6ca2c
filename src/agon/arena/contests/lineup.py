"""The line-up of a contest: which bots play, in which order, under which names.

Before the start it follows from the entries. After that the tournament has it, and it is fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from agon.arena.contests.terms import Seeding, load_terms
from agon.arena.version_names import titles_among
from agon.datastore.enums import ContestState, VersionStatus

if TYPE_CHECKING:
    from agon.datastore.contests import Contest
    from agon.datastore.store import Store

UNRATED = float("-inf")
UNDER_WAY = (ContestState.RUNNING, ContestState.PAUSED)


@dataclass(frozen=True, slots=True)
class LineupPlace:
    """A bot version in the line-up; no two have the same name."""

    version_id: int
    name: str


def tournament_name(contest: Contest) -> str:
    return f"contest {contest.id}: {contest.name}"


def load_lineup(store: Store, contest: Contest) -> tuple[LineupPlace, ...]:
    """The bots that play, the first seed first."""
    known = store.tournaments.find(tournament_name(contest))
    order = seed_entries(store, contest) if known is None else store.tournaments.entrants(known.id)
    titles = titles_among(store, order)
    return tuple(LineupPlace(version_id, titles[version_id]) for version_id in order)


def seed_entries(store: Store, contest: Contest) -> list[int]:
    """The versions that have entered, in the order of their seeding."""
    terms = load_terms(contest.settings)
    versions = [entry.version_id for entry in store.contests.entries(contest.id)]
    if terms.seeding is Seeding.LOT:
        Random(terms.seed).shuffle(versions)  # noqa: S311  not a secret
    elif terms.seeding is Seeding.RATING:
        ratings = store.ratings.current(contest.game)
        sure = {version: one.mu - 2 * one.sigma for version, one in ratings.items()}
        versions.sort(key=lambda version: -sure.get(version, UNRATED))
    return versions


def is_gone(store: Store, version_id: int) -> bool:
    """Whether the version was withdrawn or deleted: it loses what it does not play."""
    version = store.versions.get(version_id)
    if version.status is not VersionStatus.ACTIVE:
        return True
    return store.bots.get(version.bot_id).removed_ns is not None


def is_in_contest(store: Store, version_id: int) -> bool:
    """Whether the version is in the line-up of a contest that has begun, and is not over."""
    return any(
        entry.version_id == version_id
        for contest in store.contests.all()
        if contest.state in UNDER_WAY
        for entry in store.contests.entries(contest.id)
    )
