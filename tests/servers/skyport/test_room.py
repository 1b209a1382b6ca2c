"""Who is let into a room, who waits, and who is sent away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agon.games.skyport.game import SkyportOptions
from agon.match.result import Failure
from agon.match.transcript import Fault, verify
from agon.servers.skyport.room import Room
from tests.servers.skyport.calling import LASER_DROID, SHORT, connect
from tests.servers.skyport.scripted import Clock, Pad

if TYPE_CHECKING:
    from agon.servers.skyport.client import SkyportClient
    from agon.servers.skyport.playing import SkyportMatch


class OpenRoom:
    """A room, and the matches that began in it."""

    def __init__(self, **changes: Any) -> None:
        self.begun: list[SkyportMatch] = []
        settings = replace(SHORT, **changes)
        self.room = Room("main", settings, Clock(), lambda room, match: self.begun.append(match))

    def enter(self) -> tuple[SkyportClient, Pad]:
        pad = Pad()
        client = self.room.arrive(pad)
        assert client is not None
        return client, pad

    def say(self, client: SkyportClient, message: dict[str, Any]) -> None:
        self.room.hear(client, json.dumps(message).encode())

    def join(self, name: str) -> tuple[SkyportClient, Pad]:
        client, pad = self.enter()
        self.say(client, connect(name))
        return client, pad


def test_seats_fill_in_the_order_of_arrival_match_by_match() -> None:
    room = OpenRoom()
    for name in ("ann", "bob", "cid", "dan", "eva"):
        room.join(name)
    assert [match.names for match in room.begun] == [("ann", "bob"), ("cid", "dan")]
    assert [match.match.setup.seed for match in room.begun] == [SHORT.seed, SHORT.seed + 1]
    assert [client.name for client in room.room.waiting] == ["eva"]


def test_a_name_is_taken_while_a_client_waits_with_it() -> None:
    room = OpenRoom()
    room.join("ann")
    other, pad = room.join("ann")
    assert pad.take() == [{"error": 'name "ann": it is taken'}]
    room.say(other, connect("bob"))
    assert pad.take()[0] == {"message": "connect", "status": True}
    room.join("ann")  # the other one of that name plays already
    assert [client.name for client in room.room.waiting] == ["ann"]


def test_who_leaves_while_it_waits_gives_its_seat_to_the_next() -> None:
    room = OpenRoom(seats=3)
    first, pad = room.join("ann")
    room.join("bob")
    room.room.leave(first)
    assert pad.is_finished
    room.join("ann")
    assert room.begun == []
    room.join("cid")
    assert room.begun[0].names == ("bob", "ann", "cid")


def test_an_early_loadout_is_kept_and_what_else_comes_early_is_refused() -> None:
    room = OpenRoom()
    client, pad = room.join("ann")
    pad.take()
    room.say(client, LASER_DROID)
    assert pad.take() == []
    room.say(client, LASER_DROID | {"primary-weapon": "droid"})
    room.say(client, {"message": "action", "type": "mine"})
    assert [message["error"] for message in pad.take()] == [
        '"droid": expected two different weapons',
        "mine: it is not your turn",
    ]
    room.join("bob")
    assert str(client.session.turn) == "loadout laser droid"


def test_who_does_not_say_its_name_in_time_is_told_and_dropped() -> None:
    room = OpenRoom(handshake_ns=10 * 10**9)
    client, pad = room.enter()
    named, other = room.join("ann")
    other.take()
    for one in (client, named):
        room.room.handshake_is_over(one)
    assert pad.take() == [{"error": "no handshake within 10 s"}]
    assert pad.is_finished
    assert not other.is_finished
    assert other.take() == []
    room.say(client, connect("bob"))  # too late
    assert [client.name for client in room.room.waiting] == ["ann"]


def test_there_is_room_for_so_many_strangers_and_for_so_many_in_all() -> None:
    room = OpenRoom(strangers=2, connections=3)
    room.enter()
    second, _ = room.enter()
    refused = Pad()
    assert room.room.arrive(refused) is None
    assert refused.take() == [
        {"error": "too many connections without a handshake: try again later"}
    ]
    assert refused.is_finished
    room.say(second, connect("ann"))
    third, _ = room.enter()
    assert room.room.arrive(refused := Pad()) is None
    assert refused.take() == [{"error": "too many connections: try again later"}]
    room.room.leave(third)
    room.room.leave(third)
    room.enter()
    assert room.room.arrive(Pad()) is None


def test_bytes_that_are_no_text_are_refused_and_harm_no_client() -> None:
    room = OpenRoom()
    client, pad = room.enter()
    for raw in (b"\xff\xfe", '{"message": "connect"}'.encode("utf-16"), b"\x00\x01"):
        room.room.hear(client, raw)
    first, second, third = pad.take()
    assert first == {"error": r"b'\xff\xfe' is not UTF-8"}
    assert second["error"].endswith(" is not UTF-8")
    assert third == {"error": '"\\u0000\\u0001": not JSON'}
    room.say(client, connect("ann"))
    assert pad.take() == [{"message": "connect", "status": True}]


def test_a_guest_that_is_dropped_from_a_match_is_at_fault() -> None:
    room = OpenRoom()
    client, pad = room.join("ann")
    _, other = room.join("bob")
    for one in (pad, other):
        one.take()
    room.room.drop(client, Failure(Fault.PROTOCOL, "a line of more than 65536 bytes"))
    assert pad.take() == [{"error": "a line of more than 65536 bytes"}]
    assert pad.is_finished
    assert room.begun[0].position.out == {0: "protocol error"}
    assert not other.is_finished


def test_a_room_that_is_shut_lets_matches_end_and_sends_the_others_away() -> None:
    room = OpenRoom()
    players = [room.join(name)[1] for name in ("ann", "bob")]
    waiting, stranger = room.join("cid")[1], room.enter()[1]
    for pad in (*players, waiting):
        pad.take()
    room.room.shut("no more")
    assert waiting.take() == stranger.take() == [{"error": "no more"}]
    assert waiting.is_finished
    assert stranger.is_finished
    assert [pad.take() for pad in players] == [[], []]
    assert room.room.arrive(late := Pad()) is None
    assert late.take() == [{"error": "no more"}]
    room.room.give_up("the end")
    assert [pad.take() for pad in players] == [[{"error": "the end"}]] * 2
    assert all(pad.is_finished for pad in players)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
words = st.sampled_from(["up", "rightUp", "down", "laser", "mortar", "droid", "1, 1", "0,-2"])
messages = st.fixed_dictionaries(
    {"message": st.sampled_from(["action", "action", "action", "loadout", "connect"])},
    optional={
        "type": st.sampled_from(["move", "mine", "pass", "laser", "mortar", "droid", "upgrade"])
        | json_values,
        **dict.fromkeys(
            ("direction", "weapon", "coordinates", "primary-weapon", "secondary-weapon", "name"),
            words | json_values,
        ),
        "sequence": st.lists(words, max_size=5) | json_values,
    },
)
lines = st.binary(max_size=12) | (messages | json_values).map(
    lambda value: json.dumps(value).encode()
)


@settings(derandomize=True, deadline=None, database=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), lines), max_size=60))
def test_whatever_clients_say_the_match_goes_on_and_its_record_is_right(
    said: list[tuple[int, bytes]],
) -> None:
    """A stranger speaks, too. At the end the time of every turn runs out."""
    room = OpenRoom(seats=3, options=SkyportOptions(turns=3))
    stranger, pad = room.enter()
    clients = [stranger, *(room.join(name)[0] for name in ("ann", "bob", "cid"))]
    for number, line in said:
        if not room.begun[0].is_over or not number:
            room.room.hear(clients[number], line)
    (match, *_) = room.begun
    while not match.is_over:
        match.time_is_over(match.step)
    found = match.result()
    assert found.faults == (None, None, None)
    assert verify(found.transcript) == found.outcome
    assert all("error" in told for told in pad.take())
