"""Requests that arrive in part, over real connections: time passes only when a test says so."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import httpx
import pytest

from agon.servers.http_limits import ARRIVAL_NS, LEAST_RATE, MOST_HEAD, LimitedHttp
from agon.servers.open_connections import ConnectionState, OpenConnections
from tests.servers.mebipenny.live_server import PATIENCE, Live, ask_for_match, join, live_server
from tests.servers.mebipenny.quiet_lobby import SECOND, Time

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

HALVES = {
    "a byte": b"G",
    "half a head": b"GET / HTTP/1.1\r\nHost: a\r\nX-",
    "no body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n",
    "half a body": b'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"rows":',
    "half of the chunks": (
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
    ),
}
WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Slow:
    """A server whose clock the test moves."""

    def __init__(self, live: Live, connections: OpenConnections, time: Time) -> None:
        self.live = live
        self.connections = connections
        self._time = time

    def pass_by(self, ns: int) -> None:
        self.live.ask(lambda: self._time.pass_by(ns))

    def all(self) -> list[LimitedHttp]:
        """For questions to the server."""
        return [one for one in self.connections._addresses if isinstance(one, LimitedHttp)]

    def wait_for(self, *states: ConnectionState) -> None:
        """Until the connections are in these states."""
        self.live.wait_until(lambda: [one._state() for one in self.all()] == [*states])

    def wait_for_half(self, half: bytes) -> None:
        """Until the one connection has received so much of a request."""
        head, _, body = half.partition(b"\r\n\r\n")
        is_chunked = b"chunked" in head
        self.live.wait_until(
            lambda: any(
                one._body >= (2 if is_chunked else len(body))
                and one._has_head == (b"\r\n\r\n" in half)
                and not one._is_whole
                for one in self.all()
            )
        )


@pytest.fixture
def slow() -> Iterator[Slow]:
    time = Time()
    connections = OpenConnections(50, time.read, time)
    with live_server(connections=connections, match_status=201) as live:
        yield Slow(live, connections, time)


def read_all(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(1 << 16), b""))


# --- In time, and not -----------------------------------------------------------------------------


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_what_does_not_arrive_is_answered_and_closed(slow: Slow, half: bytes) -> None:
    with closing(slow.live.socket()) as client:
        client.sendall(half)
        slow.wait_for_half(half)
        slow.pass_by(ARRIVAL_NS - 1)
        slow.wait_for(ConnectionState.UNFINISHED)
        slow.pass_by(1 + SECOND)  # a few bytes of a body give it a moment more
        head, _, body = read_all(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert b"connection: close" in head
    assert json.loads(body) == {"error": "the request did not arrive within 10 s"}
    slow.live.wait_until(lambda: not slow.connections)
    assert httpx.get(slow.live.url).json() == []


def test_bytes_now_and_then_do_not_help(slow: Slow) -> None:
    with closing(slow.live.socket()) as client:
        for sent in range(1, 4):
            client.sendall(b"GET"[sent - 1 : sent])
            slow.live.wait_until(lambda: [one._head for one in slow.all()] == [sent])  # noqa: B023  asked at once
            slow.pass_by(4 * SECOND)
        assert read_all(client).startswith(b"HTTP/1.1 408 ")


def test_a_body_has_time_while_it_comes(slow: Slow) -> None:
    body = b" " * (3 * LEAST_RATE)
    with closing(slow.live.socket()) as client:
        head = b"POST /a/players HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (
            len(body) + 2
        )
        client.sendall(head + body)
        slow.wait_for_half(head + body)
        slow.pass_by(12 * SECOND)
        client.sendall(b"{}")
        assert client.recv(1000).startswith(b"HTTP/1.1 404 ")
        client.sendall(head + body)
        slow.wait_for_half(head + body)
        slow.pass_by(13 * SECOND)
        assert read_all(client).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_sends_nothing_is_not_answered(slow: Slow) -> None:
    with closing(slow.live.socket()) as client:
        slow.wait_for(ConnectionState.UNFINISHED)
        slow.pass_by(ARRIVAL_NS)
        assert read_all(client) == b""


def test_between_requests_there_is_time(slow: Slow) -> None:
    with closing(slow.live.socket()) as client:
        for _ in range(2):
            client.sendall(WHOLE)
            assert client.recv(1000).endswith(b"[]")
            slow.wait_for(ConnectionState.IDLE)
            slow.pass_by(60 * SECOND)
        client.sendall(b"GET")
        slow.wait_for(ConnectionState.UNFINISHED)
        slow.pass_by(ARRIVAL_NS)
        assert read_all(client).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("behind", [b"", b"GET / HTTP/1.1\r\nHo"])
def test_a_request_that_is_held_stays(slow: Slow, behind: bytes) -> None:
    with closing(slow.live.socket()) as client:
        client.sendall(b"GET /match HTTP/1.1\r\nHost: a\r\n\r\n" + behind)
        slow.live.wait_until(lambda: len(slow.live.lobby._queue) == 1)
        slow.pass_by(3600 * SECOND)
        other = ask_for_match(slow.live)
        assert client.recv(1000).startswith(b"HTTP/1.1 201 ")
        assert other.answer().status_code == 201


# --- Too much -------------------------------------------------------------------------------------


def long_head(size: int) -> bytes:
    """A request of so many bytes in all."""
    begin = b"GET / HTTP/1.1\r\nHost: a\r\nX-Padding:"
    return begin + b" " * (size - len(begin) - 5) + b"x\r\n\r\n"


@pytest.mark.parametrize("piece", [1000, 4096, 65_536, 1 << 20])
@pytest.mark.parametrize("before", [b"", WHOLE])
def test_a_head_may_be_so_long_however_it_is_cut(slow: Slow, piece: int, before: bytes) -> None:
    for size, status in ((MOST_HEAD, b"200"), (MOST_HEAD + 1, b"431"), (10 * MOST_HEAD, b"431")):
        with closing(slow.live.socket()) as client:
            if before:
                client.sendall(before)
                assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
            head = long_head(size)
            for begin in range(0, size, piece):
                client.sendall(head[begin : begin + piece])
            told = client.recv(1000)
            assert told.startswith(b"HTTP/1.1 " + status), (size, told)
            assert (b"connection: close" in told) == (status == b"431")


def test_a_length_that_is_too_large_is_refused_before_the_body_comes(slow: Slow) -> None:
    with closing(slow.live.socket()) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n")
        head, _, body = read_all(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in head
    assert json.loads(body) == {"error": "the body is too large: expected at most 65536 bytes"}


def test_a_client_that_sends_its_large_body_first_still_reads_the_answer(slow: Slow) -> None:
    with closing(HTTPConnection("127.0.0.1", slow.live.port, timeout=PATIENCE)) as client:
        client.request("POST", "/", b" " * (20 << 20))
        assert client.getresponse().status == 413


def test_a_client_that_is_answered_early_and_does_not_go_is_dropped(slow: Slow) -> None:
    with closing(slow.live.socket()) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n")
        assert read_all(client).startswith(b"HTTP/1.1 413 ")
        slow.wait_for(ConnectionState.UNFINISHED)
        slow.pass_by(ARRIVAL_NS)
        slow.live.wait_until(lambda: not slow.connections)


# --- Too many -------------------------------------------------------------------------------------


def test_unfinished_requests_make_room_and_held_ones_stay() -> None:
    time = Time()
    connections = OpenConnections(4, time.read, time)
    with live_server(connections=connections, match_status=201) as live:
        held = ask_for_match(live)
        live.wait_until(lambda: len(live.lobby._queue) == 1)
        halves = [live.socket() for _ in range(10)]
        for half in halves:
            half.sendall(b"GET / HT")
        assert httpx.get(live.url).json() == []
        assert ask_for_match(live).answer().status_code == held.answer().status_code == 201
        for half in halves:
            half.close()


def test_a_server_full_of_held_requests_says_so() -> None:
    time = Time()
    with live_server(connections=OpenConnections(2, time.read, time)) as live:
        path = live.new_game(seats=4)
        held = [join(live, path, name) for name in ("ann", "bob")]
        live.wait_for_players(path, 2)
        answer = httpx.get(live.url)
        assert (answer.status_code, answer.json()) == (
            503,
            {"error": "there are too many connections"},
        )
    assert [one.answer().status_code for one in held] == [503, 503]
