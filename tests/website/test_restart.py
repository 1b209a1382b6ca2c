"""The arena is killed while matches run: it comes back, and loses nothing.

Matches of bots are played again, those of people go on, those of network clients are kept as they
were. The tests share one arena that was killed, and come in the order of its second life.
"""

from __future__ import annotations

import json
import signal
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.datastore import JournalKind, MatchStatus, Store
from agon.datastore.bookings import BookingFilter
from agon.datastore.enums import BookingState
from agon.datastore.matches import MatchFilter
from agon.match.transcript import parse_transcript, verify
from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agon.datastore.bookings import Booking
    from tests.website.running import Arena

QUICKLY = ("--game", "mebipenny", "--time", "30ms", "--pace", "8ms")


@dataclass(frozen=True)
class Killed:
    """What there was when the arena was killed."""

    finished: dict[int, bytes]
    begun: list[Booking]
    key: str
    """Of a person's match, with the secret of its seat."""
    secret: str
    play: Any
    written: int
    """Events in the journal of a match of network clients."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("killed")


@pytest.fixture(scope="module")
def killed(data: Path) -> Killed:
    """An arena with all kinds of matches under way, killed."""
    with ExitStack() as stack, running_arena(data, *QUICKLY) as arena:
        for name in ("Ann", "Bob"):
            meet(arena.skyport_port, name, stack)
        opened = call(arena, "", body={"game": "hive", "opponent": "random", "seat": 0})
        key, secret = opened["key"], opened["secret"]
        moment = wait_for_person(arena, key, secret)["moment"]
        call(arena, f"/{key}/turn", secret, {"moment": moment, "text": "wS1"})
        play = wait_for_person(arena, key, secret)
        with Store.open(data / "agon.db", create=False) as store:
            written = wait_until_written(store)
        play_until_one_is_stored(arena)
        halt_while_one_runs(arena, data)
        arena.stop(signal.SIGKILL)
    with Store.open(data / "agon.db", create=False) as store:
        begun = store.bookings.find(BookingFilter(state=BookingState.RUNNING))
        return Killed(transcripts(store), begun, key, secret, play, written)


@pytest.fixture(scope="module")
def arena(data: Path, killed: Killed) -> Iterator[Arena]:
    """The same arena in its second life."""
    with running_arena(data, *QUICKLY) as arena:
        yield arena


def scenes(arena: Arena) -> Iterator[dict[str, Any]]:
    """What the front page is told of matches, as it is."""
    with httpx.stream("GET", f"{arena.address}/live/events", timeout=PATIENCE) as stream:
        lines = stream.iter_lines()
        for line in lines:
            if line == "event: scene":
                yield json.loads(next(lines).removeprefix("data: "))


def play_until_one_is_stored(arena: Arena) -> None:
    next(scene for scene in scenes(arena) if scene.get("stored"))


def halt_while_one_runs(arena: Arena, data: Path) -> None:
    """Have the arena stand still at a moment when a match of the ladder is played."""
    with Store.open(data / "agon.db", create=False) as store:
        while True:
            arena.process.send_signal(signal.SIGSTOP)
            if store.bookings.find(BookingFilter(state=BookingState.RUNNING)):
                return
            arena.process.send_signal(signal.SIGCONT)
            time.sleep(0.05)


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


def call(arena: Arena, path: str, secret: str = "", body: Any = None) -> Any:
    """Call the API as a person without an account."""
    method = "GET" if body is None else "POST"
    headers = {"X-Play-Secret": secret} if secret else {}
    address = f"{arena.address}/api/v1/plays{path}"
    answer = httpx.request(method, address, json=body, headers=headers, timeout=PATIENCE)
    assert answer.is_success, answer.text
    return answer.json()


def wait_for_person(arena: Arena, key: str, secret: str) -> Any:
    """The match when it is the person's turn, or when it is over."""
    headers = {"X-Play-Secret": secret}
    address = f"{arena.address}/api/v1/plays/{key}/events"
    with httpx.stream("GET", address, headers=headers, timeout=PATIENCE) as stream:
        for line in stream.iter_lines():
            if line == "event: news":
                play = call(arena, f"/{key}", secret)
                if play["may_act"] or play["state"] == "over":
                    return play
    raise AssertionError("the stream ended")


def meet(port: int, name: str, stack: ExitStack) -> None:
    """Come to Skyport over TCP with a name and weapons, and stay."""
    client = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
    weapons = {"primary-weapon": "laser", "secondary-weapon": "droid"}
    for line in (
        {"message": "connect", "revision": 1, "name": name},
        {"message": "loadout", **weapons},
    ):
        client.sendall(json.dumps(line).encode() + b"\n")


def wait_until_written(store: Store) -> int:
    """Until something of the clients' match stands in the journal; how many events."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for entry in store.journal.entries(JournalKind.NETWORK):
            if entry.lines:
                return len(entry.lines)
    raise AssertionError("nothing was written")


def test_the_match_of_a_person_goes_on(arena: Arena, data: Path, killed: Killed) -> None:
    play = wait_for_person(arena, killed.key, killed.secret)
    assert len(play["turns"]) == 2
    assert {**play, "players": []} == {**killed.play, "players": []}
    call(arena, f"/{killed.key}/resign", killed.secret, {})
    play = wait_for_person(arena, killed.key, killed.secret)
    assert play["verdict"] == "random won: guest resigned"
    with Store.open(data / "agon.db", create=False) as store:
        assert store.journal.entries(JournalKind.PEOPLE) == []
        [match] = store.matches.find(MatchFilter(game="hive"))
        assert (match.status, match.turns) == (MatchStatus.FINISHED, 2)
        verify(parse_transcript(store.matches.transcript(match.id).decode()))


def test_the_match_of_clients_is_kept_as_it_was(arena: Arena, data: Path, killed: Killed) -> None:
    with Store.open(data / "agon.db", create=False) as store:
        assert store.journal.entries(JournalKind.NETWORK) == []
        [match] = store.matches.find(MatchFilter(game="skyport"))
        assert (match.status, match.rated) == (MatchStatus.VOID, False)
        assert match.turns >= killed.written
        verify(parse_transcript(store.matches.transcript(match.id).decode()))
    page = httpx.get(f"{arena.address}/matches/{match.id}").text
    assert "The match has no result; interrupted: the site was stopped." in page


def test_what_was_stored_is_there_and_what_had_begun_is_played_again(
    arena: Arena, data: Path, killed: Killed
) -> None:
    finished, begun = killed.finished, killed.begun
    assert finished
    assert begun
    assert f"the site was cut off: to be played once more: {len(begun)};" in arena.log.read_text()
    for match_id in finished:
        assert httpx.get(f"{arena.address}/matches/{match_id}").status_code == 200
    ended = play_until_stored(arena, data, begun)
    assert arena.stop() == ["ended"]
    with Store.open(data / "agon.db", create=False) as store:
        assert transcripts(store).items() >= finished.items()
        for booking in ended:
            assert (booking.state, booking.attempts) == (BookingState.DONE, 2)
            assert booking.match_id is not None
            transcript = parse_transcript(store.matches.transcript(booking.match_id).decode())
            assert verify(transcript) == transcript.outcome
        # What was under way when it was asked to end waits for the next start.
        assert not store.bookings.find(BookingFilter(state=BookingState.RUNNING))
