"""Matches under way in the journal: lines are added, and go when the match is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agon.datastore import JournalKind, MatchFilter, Page
from agon.errors import DatastoreError
from tests.datastore.samples import NOON, add_versions, make_match

if TYPE_CHECKING:
    from agon.datastore import Store

FIRST = Page("kx3", JournalKind.PEOPLE, "hive", {"seed": 7}, NOON)
OTHER = Page("s-1", JournalKind.NETWORK, "skyport", {"seed": 8}, NOON + 1, 0, ["a"])


def test_lines_are_added_to_what_is_there(store: Store) -> None:
    store.journal.write([FIRST, OTHER])
    store.journal.write([replace(FIRST, lines=["wS1", "bS1 -wS1"])])
    store.journal.write([replace(FIRST, first=2, lines=["wQ wS1-"])])
    [entry] = store.journal.entries(JournalKind.PEOPLE)
    assert (entry.key, entry.game, entry.head, entry.created_ns) == (
        "kx3",
        "hive",
        {"seed": 7},
        NOON,
    )
    assert entry.lines == ("wS1", "bS1 -wS1", "wQ wS1-")
    [network] = store.journal.entries(JournalKind.NETWORK)
    assert network.lines == ("a",)


def test_the_head_may_change_until_there_are_lines(store: Store) -> None:
    store.journal.write([FIRST])
    store.journal.write([replace(FIRST, head={"seed": 7, "seats": ["ada", "bob"]})])
    [entry] = store.journal.entries(JournalKind.PEOPLE)
    assert entry.head == {"seed": 7, "seats": ["ada", "bob"]}


def test_a_line_stays_what_it_is_and_pages_are_written_all_or_nothing(store: Store) -> None:
    store.journal.write([replace(FIRST, lines=["wS1"])])
    for lines in (["wA1"], [], ["wA1", "wS1"]):
        with pytest.raises(DatastoreError, match="'kx3': another line 0 is there already"):
            store.journal.write([OTHER, replace(FIRST, lines=lines)])
    assert store.journal.entries(JournalKind.NETWORK) == []


def test_a_write_that_seemed_to_fail_may_be_repeated(store: Store) -> None:
    store.journal.write([replace(FIRST, lines=["wS1"])])
    store.journal.write([replace(FIRST, lines=["wS1", "bS1 wS1-"])])
    later = replace(FIRST, head={}, first=1, lines=["bS1 wS1-", "wQ -wS1"])
    store.journal.write([later])
    store.journal.write([later])
    (entry,) = store.journal.entries(JournalKind.PEOPLE)
    assert entry.lines == ("wS1", "bS1 wS1-", "wQ -wS1")


def test_a_match_that_is_stored_leaves_the_journal(store: Store) -> None:
    store.journal.write([replace(FIRST, lines=["wS1"]), OTHER])
    match = replace(make_match(add_versions(store)), journal="kx3")
    store.record_match(match)
    assert store.journal.entries(JournalKind.PEOPLE) == []
    assert store.journal.entries(JournalKind.NETWORK)


def test_a_match_that_cannot_be_stored_stays(store: Store) -> None:
    store.journal.write([FIRST])
    match = replace(make_match(add_versions(store)), journal="kx3", seats=())
    with pytest.raises(DatastoreError):
        store.record_match(match)
    assert store.journal.entries(JournalKind.PEOPLE)
    assert store.matches.count(MatchFilter()) == 0


def test_what_is_given_up_is_removed(store: Store) -> None:
    store.journal.write([replace(FIRST, lines=["wS1"])])
    store.journal.remove("kx3")
    store.journal.remove("kx3")
    assert store.journal.entries(JournalKind.PEOPLE) == []
