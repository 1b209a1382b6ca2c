"""Clients as contestants wrote them for the first server.

They have one connection for everything, take `Location` from the head of a 201, do not read what
follows it, and send their next request at once.
"""

from __future__ import annotations

import json
import threading
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.mebipenny.live_server import PATIENCE, live_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.mebipenny.live_server import Live


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with live_server(match_status=201) as server:
        yield server


class OldClient:
    """Passes until its game is over."""

    def __init__(self, live: Live) -> None:
        self._connection = HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)

    def locate(self, method: str, path: str, body: str = "") -> str:
        """Where the game is; the answer's body is not read."""
        self._connection.request(method, path, body)
        answer = self._connection.getresponse()
        assert answer.status == 201
        return str(answer.headers["Location"])

    def ask(self, path: str, document: Any, token: str = "") -> tuple[Any, str | None]:
        self._connection.request("POST", path, json.dumps(document), {"X-Turn-Token": token})
        answer = self._connection.getresponse()
        assert answer.status == 200
        return json.loads(answer.read()), answer.headers["X-Turn-Token"]

    def play(self, path: str) -> str:
        """Join a game and play it; its last state."""
        news, token = self.ask(f"{path}/players", {"name": "old"})
        while token is not None:
            news, token = self.ask(f"{path}/moves", "PASS", token)
        self._connection.close()
        return str(news["state"])


def play_both(*plays: Any) -> list[str]:
    states: list[str] = []
    threads = [threading.Thread(target=lambda play=play: states.append(play())) for play in plays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return states


def test_one_who_makes_a_game_plays_it_without_having_read_the_body(live: Live) -> None:
    first, second = OldClient(live), OldClient(live)
    path = first.locate("POST", "/", '{"rows": 4, "cols": 4}')
    states = play_both(lambda: first.play(path), lambda: second.play(path))
    assert states == ["completed", "completed"]


def test_those_who_are_matched_play_without_having_read_the_body(live: Live) -> None:
    def find_and_play() -> str:
        client = OldClient(live)
        return client.play(client.locate("GET", "/match"))

    assert play_both(find_and_play, find_and_play) == ["completed", "completed"]


@pytest.mark.parametrize("http", ["1.0", "1.1"])
def test_the_answer_is_a_head_alone_and_the_connection_is_closed(live: Live, http: str) -> None:
    body = '{"rows": 3, "cols": 3}'
    head = f"POST / HTTP/{http}\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n"
    with closing(live.socket()) as client:
        client.sendall((head + body).encode())
        told = b"".join(iter(lambda: client.recv(1000), b"")).decode().lower()
    head, _, rest = told.partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    assert status == "http/1.1 201 created"
    assert rest == ""
    assert {"connection: close", "content-length: 0"} < set(lines)
    assert not [line for line in lines if line.startswith(("transfer-encoding", "content-type"))]
