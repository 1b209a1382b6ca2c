"""The arena is killed while matches run: it comes back, loses nothing, and plays them again."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

import httpx

from agon.datastore import Store
from agon.datastore.bookings import BookingFilter
from agon.datastore.choices import BookingState
from agon.datastore.matches import MatchFilter
from agon.transcript import parse_transcript, verify
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.datastore.bookings import Booking
    from tests.website.running import Arena

QUICKLY = ("--game", "mebipenny", "--time", "30ms", "--pace", "8ms")


def scenes(arena: Arena) -> Iterator[dict[str, Any]]:
    """What the front page is told of matches, as it is."""
    with httpx.stream("GET", f"{arena.address}/live", timeout=PATIENCE) as stream:
        lines = stream.iter_lines()
        for line in lines:
            if line == "event: scene":
                yield json.loads(next(lines).removeprefix("data: "))


def play_until_one_is_stored_and_one_runs(arena: Arena) -> None:
    stored = False
    for scene in scenes(arena):
        stored = stored or bool(scene.get("stored"))
        if stored and "verdict" not in scene and scene["turns"] > 1:
            return


def play_until_stored(arena: Arena, data: Path, bookings: list[Booking]) -> list[Booking]:
    """Until the matches of these bookings are stored."""
    with Store.open(data / "agon.db", create=False) as store:
        for scene in scenes(arena):
            if scene.get("stored"):
                found = [store.bookings.get(one.id) for one in bookings]
                if all(one.is_over for one in found):
                    return found
    raise AssertionError("the stream ended")


def transcripts(store: Store) -> dict[int, bytes]:
    """All matches that are stored."""
    found = store.matches.find(MatchFilter(), limit=1000)
    return {match.id: store.matches.transcript(match.id) for match in found}


def test_a_killed_arena_loses_nothing_and_plays_again_what_it_had_begun(tmp_path: Path) -> None:
    with running_arena(tmp_path, *QUICKLY) as arena:
        play_until_one_is_stored_and_one_runs(arena)
        arena.stop(signal.SIGKILL)
    with Store.open(tmp_path / "agon.db", create=False) as store:
        finished = transcripts(store)
        begun = store.bookings.find(BookingFilter(state=BookingState.RUNNING))
        assert finished
        assert begun
    with running_arena(tmp_path, *QUICKLY) as arena:
        assert f"the site was cut off: {len(begun)} matches are played" in arena.log.read_text()
        for match_id in finished:
            assert httpx.get(f"{arena.address}/matches/{match_id}").status_code == 200
        ended = play_until_stored(arena, tmp_path, begun)
        assert arena.stop() == ["ended"]
    with Store.open(tmp_path / "agon.db", create=False) as store:
        assert transcripts(store).items() >= finished.items()
        for booking in ended:
            assert (booking.state, booking.attempts) == (BookingState.DONE, 2)
            assert booking.match_id is not None
            transcript = parse_transcript(store.matches.transcript(booking.match_id).decode())
            assert verify(transcript) == transcript.outcome
        # What was under way when it was asked to end waits for the next start.
        assert not store.bookings.find(BookingFilter(state=BookingState.RUNNING))
