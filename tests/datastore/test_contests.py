"""Contests go from draft to finished; bots enter while they are open, if their owners may."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.datastore import (
    ContestEntry,
    ContestState,
    NewBot,
    NewContest,
    NewTournament,
    NewVersion,
    User,
    WhoMayEnter,
)
from agon.errors import DatastoreError, TakenError
from tests.datastore.samples import NOON, add_versions

if TYPE_CHECKING:
    from agon.datastore import Contest, Store

CUP = NewContest(
    "cup", "hive", "swiss", {"variant": "Base"}, {"rounds": 5}, "🏆", opens_ns=1, closes_ns=2
)


@pytest.fixture
def ada(store: Store) -> User:
    return store.users.add("ada", "", NOON, organiser=True)


@pytest.fixture
def cup(store: Store, ada: User) -> Contest:
    return store.contests.add(CUP, ada.id, NOON)


def move(store: Store, contest: Contest, *states: ContestState) -> None:
    for state in states:
        store.contests.set_state(contest.id, state)


def test_a_contest_is_kept_as_it_was_made(store: Store, ada: User, cup: Contest) -> None:
    for name in ("name", "game", "format", "options", "settings", "description", "closes_ns"):
        assert getattr(cup, name) == getattr(CUP, name)
    assert (cup.state, cup.published, cup.created_by) == (ContestState.DRAFT, False, ada.id)
    assert store.contests.get(cup.id) == cup
    assert store.contests.all() == [cup]
    with pytest.raises(TakenError, match="contest 'cup': there is one"):
        store.contests.add(CUP, ada.id, NOON)


def test_organisers_alone_see_it_until_it_is_published(store: Store, cup: Contest) -> None:
    assert store.contests.all(published=True) == []
    store.contests.publish(cup.id, True)
    assert [contest.id for contest in store.contests.all(published=True)] == [cup.id]


def test_everything_can_be_chosen_anew_before_it_begins(
    store: Store, ada: User, cup: Contest
) -> None:
    other = store.contests.add(replace(CUP, name="other"), ada.id, NOON)
    changed = store.contests.edit(cup.id, replace(CUP, name="friday", settings={"rounds": 9}))
    assert (changed.name, changed.settings) == ("friday", {"rounds": 9})
    assert store.contests.get(cup.id) == changed
    assert store.contests.edit(cup.id, replace(CUP, name="friday")).settings == {"rounds": 5}
    with pytest.raises(TakenError, match="contest 'friday': there is one"):
        store.contests.edit(other.id, replace(CUP, name="friday"))
    move(store, cup, ContestState.OPEN, ContestState.CLOSED, ContestState.RUNNING)
    with pytest.raises(DatastoreError, match="it is running; expected draft or open or closed"):
        store.contests.edit(cup.id, CUP)


def test_one_state_follows_another(store: Store, cup: Contest) -> None:
    states = [
        ContestState.OPEN,
        ContestState.CLOSED,
        ContestState.OPEN,
        ContestState.CLOSED,
        ContestState.RUNNING,
        ContestState.PAUSED,
        ContestState.RUNNING,
        ContestState.FINISHED,
    ]
    for state in states:
        assert store.contests.set_state(cup.id, state).state is state
    with pytest.raises(DatastoreError, match="it is finished; expected nothing more"):
        store.contests.set_state(cup.id, ContestState.OPEN)


@pytest.mark.parametrize("state", [ContestState.RUNNING, ContestState.PAUSED, ContestState.DRAFT])
def test_a_draft_is_only_opened(store: Store, cup: Contest, state: ContestState) -> None:
    with pytest.raises(DatastoreError, match="it is draft; expected open"):
        store.contests.set_state(cup.id, state)


def test_a_bot_enters_with_one_version(store: Store, ada: User, cup: Contest) -> None:
    bot = store.bots.add(NewBot("hive", "crawler", NOON, owner_id=ada.id))
    old, new = (store.versions.add(bot.id, NewVersion(NOON, label=str(n))).id for n in (1, 2))
    (other,) = add_versions(store, 1)
    with pytest.raises(DatastoreError, match="it is draft; expected open"):
        store.contests.enter(cup.id, old, ada.id, NOON)
    move(store, cup, ContestState.OPEN)
    store.contests.enter(cup.id, old, ada.id, NOON)
    store.contests.enter(cup.id, other, ada.id, NOON + 1)
    store.contests.enter(cup.id, new, ada.id, NOON + 2)
    assert store.contests.entries(cup.id) == [
        ContestEntry(other, ada.id, NOON + 1),
        ContestEntry(new, ada.id, NOON + 2),
    ]
    store.contests.leave(cup.id, other)
    assert [entry.version_id for entry in store.contests.entries(cup.id)] == [new]
    with pytest.raises(DatastoreError, match=f"bot version {other} is not in it"):
        store.contests.leave(cup.id, other)


def test_only_invited_users_enter_a_contest_for_them(store: Store, ada: User, cup: Contest) -> None:
    bob = store.users.add("bob", "", NOON)
    (version,) = add_versions(store, 1)
    store.contests.edit(cup.id, replace(CUP, who_may_enter=WhoMayEnter.INVITED))
    store.contests.set_invited(cup.id, [ada.id, bob.id])
    store.contests.set_invited(cup.id, [bob.id])
    assert store.contests.invited(cup.id) == [bob.id]
    move(store, cup, ContestState.OPEN)
    with pytest.raises(DatastoreError, match=f"user {ada.id} is not invited"):
        store.contests.enter(cup.id, version, ada.id, NOON)
    store.contests.enter(cup.id, version, bob.id, NOON)
    assert len(store.contests.entries(cup.id)) == 1


def test_a_contest_that_has_not_begun_can_be_deleted(store: Store, ada: User, cup: Contest) -> None:
    (version,) = add_versions(store, 1)
    store.contests.set_invited(cup.id, [ada.id])
    move(store, cup, ContestState.OPEN)
    store.contests.enter(cup.id, version, ada.id, NOON)
    store.contests.remove(cup.id)
    assert store.contests.all() == []
    with pytest.raises(DatastoreError, match=f"contest {cup.id}: there is none"):
        store.contests.get(cup.id)


def test_a_contest_that_has_begun_stays(store: Store, cup: Contest) -> None:
    move(store, cup, ContestState.OPEN, ContestState.CLOSED, ContestState.RUNNING)
    with pytest.raises(DatastoreError, match="it is running"):
        store.contests.remove(cup.id)


def test_a_bot_that_is_removed_leaves_what_has_not_begun(
    store: Store, ada: User, cup: Contest
) -> None:
    bot = store.bots.add(NewBot("hive", "crawler", NOON, owner_id=ada.id))
    version = store.versions.add(bot.id, NewVersion(NOON)).id
    begun = store.contests.add(replace(CUP, name="begun"), ada.id, NOON)
    friday = store.tournaments.add(NewTournament("friday", "hive", "swiss", NOON))
    for contest in (cup, begun):
        move(store, contest, ContestState.OPEN)
        store.contests.enter(contest.id, version, ada.id, NOON)
    store.contests.set_tournament(begun.id, friday.id)
    store.bots.remove(bot.id, NOON)
    assert store.contests.entries(cup.id) == []
    assert len(store.contests.entries(begun.id)) == 1


def test_what_is_not_there_is_said(store: Store) -> None:
    with pytest.raises(DatastoreError, match="contest 9: there is none"):
        store.contests.publish(9, True)
    with pytest.raises(DatastoreError, match="contest 9: there is none"):
        store.contests.set_state(9, ContestState.OPEN)
