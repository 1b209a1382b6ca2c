"""Matches of network clients in the journal: written as they go on, gone once stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from agon.arena.network_matches import NetworkMatches, NewEvents
from agon.arena.unfinished import INTERRUPTED, format_head
from agon.datastore import JournalKind, MatchFilter, MatchStatus, Page, Store
from agon.games.registry import find_game
from agon.match.match import Match
from agon.match.result import result_of
from agon.match.transcript import parse_transcript
from tests.website.arena import DAWN, NOON, play

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.match.result import MatchResult


@pytest.fixture
def store(blank: Path) -> Iterator[Store]:
    with Store.open(blank) as opened:
        yield opened


@pytest.fixture(scope="module")
def match() -> MatchResult:
    return play("skyport", ["random", "random"], turns=400)


@dataclass
class Underway:
    """A match under way."""

    match: Match
    begin_ns: int


def after(result: MatchResult, happened: int, begin_ns: int = DAWN) -> Underway:
    """The match when so many of its events had happened."""
    transcript = result.transcript
    return Underway(Match(replace(transcript, events=transcript.events[:happened])), begin_ns)


def note(book: NetworkMatches, underway: Underway) -> None:
    """Write it down once, as at the end of the site."""

    async def work() -> None:
        async with book.following(lambda: [underway]):
            pass

    asyncio.run(work())


def lines(store: Store) -> list[int]:
    return [len(entry.lines) for entry in store.journal.entries(JournalKind.NETWORK)]


def test_what_is_new_is_added(store: Store, match: MatchResult) -> None:
    book = NetworkMatches(store, lambda: NOON)
    for happened in (0, 2, 2, 5):
        note(book, after(match, happened))
    assert lines(store) == [5]
    note(book, after(match, 1, DAWN + 1))
    assert lines(store) == [5, 1]


def test_a_match_that_is_stored_is_not_interrupted(store: Store, match: MatchResult) -> None:
    book = NetworkMatches(store, lambda: NOON)
    note(book, after(match, 3))
    book.keep(match, DAWN, NOON)
    assert lines(store) == []
    book.close_open_entries()
    [stored] = store.matches.find(MatchFilter())
    assert stored.status is MatchStatus.FINISHED


def test_a_match_that_ends_while_it_is_written_down_is_stored_once(
    store: Store, match: MatchResult
) -> None:
    """It was collected; then it was stored; then it would be written down."""
    book = NetworkMatches(store, lambda: NOON)
    underway = after(match, 3)
    key = f"skyport {DAWN} {match.transcript.seed}"
    book.keep(match, DAWN, NOON)
    book.write([NewEvents(key, underway.match.setup, DAWN, 0, underway.match.events)])
    assert lines(store) == []


def test_what_was_cut_off_is_stored_with_its_turns(store: Store, match: MatchResult) -> None:
    note(NetworkMatches(store, lambda: NOON), after(match, 4))
    NetworkMatches(store, lambda: NOON).close_open_entries()
    assert lines(store) == []
    [stored] = store.matches.find(MatchFilter())
    assert (stored.status, stored.started_ns, stored.ended_ns) == (MatchStatus.VOID, DAWN, NOON)
    assert stored.turns == 4
    assert not stored.rated
    transcript = parse_transcript(store.matches.transcript(stored.id).decode())
    assert transcript.events == match.transcript.events[:4]
    assert transcript.outcome is None
    whole = result_of(transcript, INTERRUPTED)
    assert tuple(seat.thinking_ns for seat in stored.seats) == whole.thought_ns
    assert 0 < sum(whole.thought_ns) < sum(match.thought_ns)


def test_an_entry_that_cannot_be_read_stays_and_harms_no_other(
    store: Store, match: MatchResult, caplog: pytest.LogCaptureFixture
) -> None:
    odd = Page("odd", JournalKind.NETWORK, "skyport", {"transcript": {"format": "Chess"}}, DAWN)
    store.journal.write([odd])
    note(NetworkMatches(store, lambda: NOON), after(match, 4))
    NetworkMatches(store, lambda: NOON).close_open_entries()
    assert store.matches.count(MatchFilter()) == 1
    assert [entry.key for entry in store.journal.entries(JournalKind.NETWORK)] == ["odd"]
    assert "network match odd cannot be stored" in caplog.text


def test_the_head_has_the_match_and_what_else_is_given() -> None:
    hive = play("hive", ["random", "random"], turns=4)
    head = format_head(hive.transcript, seats=[1, 2])
    setup = head["transcript"]
    assert isinstance(setup, dict)
    assert "events" not in setup
    assert "outcome" not in setup
    assert setup["format"] == f"{find_game('hive').title} transcript"
    assert head["seats"] == [1, 2]
    assert result_of(hive.transcript, INTERRUPTED).thought_ns == hive.thought_ns
