"""Live boards of two servers: what one shows, the other shows too."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.arbiter import play_match
from agon.arbiter.limits import Limits
from agon.arena.fleet.jobs import PlayedMatch, RecordPart
from agon.arena.live_journal import LiveJournal, LiveMirror, clear_left
from agon.arena.live_matches import HiddenLiveMatches, LiveMatches
from agon.arena.match_record import stored_form
from agon.arena.pace import Pace, PacedMatch
from agon.datastore import (
    BookingKind,
    JournalKind,
    NewBooking,
    NewBot,
    NewVersion,
    Page,
    Store,
)
from agon.games.registry import find_game
from agon.match.result import result_of
from agon.match.transcript import replay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.match.transcript import Transcript

NOON = 1_760_000_000_000_000_000
HIVE = find_game("hive")


@dataclass
class Shown:
    """A server: its store, its live matches, and its view of the other's."""

    store: Store
    live_matches: LiveMatches
    mirror: LiveMirror
    has_others: bool = True

    @classmethod
    def join(cls, store: Store, name: str) -> Shown:
        store.servers.join(name, "", "", NOON)
        live_matches = LiveMatches()
        new = cls(store, live_matches, LiveMirror(store, live_matches, lambda: new.has_others))
        live_matches.own_server = lambda: store.servers.own_id
        live_matches.journal = LiveJournal(store, lambda: new.has_others)
        return new

    @property
    def keys(self) -> list[str]:
        self.mirror.look()
        return [live.key for live in self.live_matches.running()]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Shown, Shown]]:
    with Store.open(tmp_path / "agon.db") as one, Store.open(tmp_path / "agon.db") as other:
        yield Shown.join(one, "one"), Shown.join(other, "two")


def play(*seeds: int) -> Transcript:
    bots = [HIVE.bot("random", seed) for seed in seeds]
    return play_match(HIVE, bots, Limits(turns=12), seed=7).transcript


@pytest.fixture(scope="module")
def played() -> Transcript:
    return play(1, 2)


@pytest.fixture(scope="module")
def others() -> Transcript:
    """The same match with other turns."""
    return play(3, 4)


def begin(shown: Shown, played: Transcript, live_matches: LiveMatches | None = None) -> PacedMatch:
    pace = Pace(0, time.monotonic_ns, threading.Event())
    return PacedMatch(live_matches or shown.live_matches, played, NOON, pace)


def tell(match: PacedMatch, played: Transcript, first: int, last: int) -> None:
    """Show these events, and wait until they are shown."""
    players = played.players if first == 0 else ()
    match.on_record(RecordPart(first, played.events[first:last], players))
    match.wait()
    match._thread = threading.Thread(target=match._show_all)


def test_a_match_is_shown_by_both_as_it_goes_on(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    positions = [position for _, position in replay(played)]
    match = begin(one, played)
    tell(match, played, 0, 3)
    assert other.keys == one.keys == [f"hive-{one.store.servers.own_id}.1"]
    (live,) = other.live_matches.running()
    assert (live.players, live.begin_ns) == (tuple(p["name"] for p in played.players), NOON)
    assert live.position.scene(None) == positions[3].scene(None)
    tell(match, played, 3, 8)
    other.mirror.look()
    assert live.position.scene(None) == positions[8].scene(None)
    assert live.turns == 8
    match.end(None)
    assert other.keys == []
    assert live.is_over
    assert one.store.journal.entries(JournalKind.LIVE) == []


def test_the_match_of_a_booking_is_found_by_both(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    store = one.store
    bot = store.bots.add(NewBot("hive", "random", NOON, built_in=True))
    version = store.versions.add(bot.id, NewVersion(NOON)).id
    new = NewBooking(BookingKind.CHALLENGE, "hive", {}, 7, (version, version), NOON)
    booking = store.bookings.add(new)
    pace = Pace(0, time.monotonic_ns, threading.Event())
    match = PacedMatch(one.live_matches, played, NOON, pace, booking.id)
    tell(match, played, 0, 3)
    assert len(other.keys) == 1
    for server in two:
        live = server.live_matches.of_booking(booking.id)
        assert live is not None
        assert live.key == one.keys[0]
        assert server.live_matches.of_booking(booking.id + 1) is None
    made = stored_form(PlayedMatch.of(result_of(played, "")), [version] * 2, NOON, NOON)
    match_id = store.record_booked_match(booking.id, made, NOON)
    match.end(match_id)
    other.mirror.look()
    assert [one.match_id for one in other.live_matches.ended()] == [match_id]
    assert other.live_matches.of_booking(booking.id) is None


def test_a_server_with_another_number_writes_its_matches_anew(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    match = begin(one, played)
    tell(match, played, 0, 3)
    one.store.servers.leave()
    one.store.servers.join("one again", "", "", NOON)
    assert one.live_matches.journal
    one.live_matches.journal.write_anew()
    clear_left(other.store)
    assert other.keys == []
    tell(match, played, 3, 5)
    assert len(other.keys) == 1
    (entry,) = one.store.journal.entries(JournalKind.LIVE)
    assert len(entry.lines) == 5
    match.end(None)


def test_a_match_is_written_down_only_for_others(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    one.has_others = False
    match = begin(one, played)
    tell(match, played, 0, 3)
    assert other.keys == []
    one.has_others = True
    tell(match, played, 3, 5)
    assert len(other.keys) == 1
    (entry,) = one.store.journal.entries(JournalKind.LIVE)
    assert len(entry.lines) == 5
    match.end(None)


def test_a_match_that_is_begun_anew_is_written_down_anew(
    two: tuple[Shown, Shown], played: Transcript, others: Transcript
) -> None:
    one, other = two
    match = begin(one, played)
    tell(match, played, 0, 5)
    assert len(other.keys) == 1
    tell(match, others, 0, 3)
    (live,) = one.live_matches.running()
    assert other.keys == [live.key]
    (shown,) = other.live_matches.running()
    assert shown.position.scene(None) == live.position.scene(None)
    match.end(None)


def test_a_match_that_is_hidden_is_not_shown_by_the_other(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    is_hidden = False
    match = begin(one, played, HiddenLiveMatches(one.live_matches, lambda live: is_hidden))
    tell(match, played, 0, 3)
    assert len(other.keys) == 1
    is_hidden = True
    tell(match, played, 3, 5)
    assert other.keys == []
    assert one.store.journal.entries(JournalKind.LIVE) == []
    match.end(None)


def test_what_cannot_be_read_is_told_once(
    two: tuple[Shown, Shown], caplog: pytest.LogCaptureFixture
) -> None:
    one, other = two
    one.store.journal.write([Page("odd", JournalKind.NETWORK, "hive", {}, NOON)])
    assert other.keys == []
    assert other.keys == []
    assert caplog.text.count("match odd of another server is not shown") == 1


def test_what_a_server_that_is_gone_has_left_is_taken_down(
    two: tuple[Shown, Shown], played: Transcript
) -> None:
    one, other = two
    tell(begin(one, played), played, 0, 3)
    assert len(other.keys) == 1
    one.store.servers.leave()
    clear_left(other.store)
    assert other.keys == []
    assert other.store.journal.entries(JournalKind.LIVE) == []
    tell(begin(one, played), played, 0, 3)
    other.mirror.stop()
    assert other.live_matches.running() == []
