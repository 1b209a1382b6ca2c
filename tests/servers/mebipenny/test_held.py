"""Requests that are held, and clients that go away, are slow, or stop reading."""

from __future__ import annotations

import json
import socket
from contextlib import closing, suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from agon.match.transcript import Fault
from agon.servers.mebipenny.game_table import draw_order
from tests.servers.mebipenny.greedy_client import play_whole
from tests.servers.mebipenny.live_server import (
    Live,
    ask_for_match,
    error,
    join,
    live_server,
    move,
    two_players,
)
from tests.servers.mebipenny.quiet_lobby import in_play

if TYPE_CHECKING:
    from agon.servers.mebipenny.game_table import GameTable

MILLISECOND = 10**6


def request(method: str, path: str, body: str = "", *headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def table_at(live: Live, path: str) -> GameTable:
    return live.ask(lambda: live.lobby.find(path[1:]))


# --- Clients that go away -----------------------------------------------------------------------


def hurry(live: Live, table: GameTable) -> None:
    """From the next turn on there is little time."""
    live.ask(lambda: setattr(in_play(table), "_turn_ns", 20 * MILLISECOND))


def test_a_player_who_goes_away_before_the_start_keeps_the_seat() -> None:
    seed = next(seed for seed in count() if draw_order(seed, 2) == [1, 0])
    with live_server() as live:
        path = live.new_game(seed=seed)
        table = table_at(live, path)
        with closing(live.socket()) as gone:
            gone.sendall(request("POST", f"{path}/players", '{"name": "gone"}'))
            live.wait_for_players(path, 1)
            assert live.ask(lambda: table.is_awaited)
        live.wait_until(lambda: not table.is_awaited)
        token = join(live, path, "bob").answer().headers["x-turn-token"]
        hurry(live, table)
        last = move(live, path, token, "PASS").answer()
        assert last.json()["state"] == "completed"
        (gone_player,) = last.json()["players"]
        assert (gone_player["name"], gone_player["score"]) == ("gone", "disqualified")
    assert live.kept[0].match.faults == (None, Fault.TIMEOUT)


def test_a_player_who_goes_away_after_a_move_runs_out_of_time() -> None:
    with live_server() as live:
        path = live.new_game()
        token, other = two_players(live, path)
        with closing(live.socket()) as gone:
            gone.sendall(request("POST", f"{path}/moves", '"PASS"', f"X-Turn-Token: {token}"))
            theirs = other.answer()
        hurry(live, table_at(live, path))
        last = move(live, path, theirs.headers["x-turn-token"], own_tile(theirs)).answer()
        assert last.json()["state"] == "completed"
        assert "x-turn-token" not in last.headers
    (kept,) = live.kept
    assert kept.match.turns == 2
    assert kept.match.faults == (Fault.TIMEOUT, None)


def own_tile(answer: httpx.Response) -> Any:
    """A move with the first tile of a player's own hand."""
    return {"tile": answer.json()["players"][0]["hand"][0]}


def test_a_client_that_leaves_also_leaves_the_queue() -> None:
    with live_server() as live:
        with closing(live.socket()) as gone:
            gone.sendall(request("GET", "/match"))
            live.wait_until(lambda: len(live.lobby._queue) == 1)
        live.wait_until(lambda: not live.lobby._queue)
        first, second = ask_for_match(live), ask_for_match(live)
        assert first.answer().headers["location"] == second.answer().headers["location"]
        assert len(httpx.get(live.url).json()) == 1


def test_half_a_request_harms_no_other_request(live: Live) -> None:
    path = live.new_game()
    for part in (b"POS", b"POST / HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"):
        with closing(live.socket()) as gone:
            gone.sendall(part)
    token, other = two_players(live, path)
    whole = request("POST", f"{path}/moves", '"PASS"', f"X-Turn-Token: {token}")
    with closing(live.socket()) as gone:
        gone.sendall(whole[:-1])  # one byte is missing
    move(live, path, token, 3).answer()
    assert other.answer().json()["state"] == "completed"


def test_rubbish_is_no_request(live: Live) -> None:
    with closing(live.socket()) as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_leaves_is_noticed_with_a_request_behind_the_one_that_is_held() -> None:
    with live_server() as live:
        with closing(live.socket()) as gone:
            gone.sendall(request("GET", "/match") + request("GET", "/"))
            live.wait_until(lambda: len(live.lobby._queue) == 1)
        live.wait_until(lambda: not live.lobby._queue)


def test_requests_may_stand_behind_each_other(live: Live) -> None:
    with closing(live.socket()) as client:
        client.sendall(request("PUT", "/") * 20 + request("PUT", "/", "", "Connection: close"))
        told = b"".join(iter(lambda: client.recv(1 << 16), b""))
    assert told.count(b"HTTP/1.1 405 ") == 21


@pytest.mark.parametrize("behind", [request("GET", "/") * 40, request("POST", "/", "x" * 200_000)])
def test_too_much_behind_a_request_that_is_held_ends_the_connection(behind: bytes) -> None:
    with live_server() as live, closing(live.socket()) as client:
        with suppress(ConnectionError):
            client.sendall(request("GET", "/match") + behind)
            assert not client.recv(1000)
        live.wait_until(lambda: not live.lobby._queue)


# --- Clients that send too much -----------------------------------------------------------------


@pytest.mark.parametrize(
    "begin",
    [
        "GET /",
        "GET / HTTP/1.1\r\nHost: ",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: ",
    ],
)
def test_a_head_without_end_is_not_read_on(live: Live, begin: str) -> None:
    with closing(live.socket()) as client:
        client.sendall(begin.encode())
        with pytest.raises(ConnectionError):
            client.sendall(b"x" * 100_000_000)
    assert httpx.get(live.url).status_code == 200


def test_a_long_head_and_a_long_body_are_read(live: Live) -> None:
    padding = f"X-Padding: {'x' * 30_000}"
    body = '{"rows": 3, "cols": 3}' + " " * 60_000
    with closing(live.socket()) as client:
        for _ in range(3):
            client.sendall(request("POST", "/nowhere/players", body, padding))
            assert client.recv(1000).startswith(b"HTTP/1.1 404 ")


# --- Clients that are slow ----------------------------------------------------------------------


def test_a_request_comes_byte_by_byte(live: Live) -> None:
    with closing(live.socket()) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request("POST", "/", '{"rows": 3, "cols": 3}'):
            client.sendall(bytes([byte]))
        assert client.recv(1000).startswith(b"HTTP/1.1 201 ")


def test_requests_are_held_as_long_as_the_setting_says() -> None:
    with live_server(held_ns=50 * MILLISECOND) as live:
        path = live.new_game()
        assert error(ask_for_match(live).answer(), 408) == "nothing happened within 0.05 s"
        live.wait_until(lambda: not live.lobby._queue)
        assert error(join(live, path).answer(), 408) == "nothing happened within 0.05 s"
        live.wait_for_players(path, 1)
        (game,) = httpx.post(f"{live.url}{path}/observers").text.splitlines()
        assert json.loads(game)["state"] == "initiating"


def test_many_requests_on_one_connection(live: Live) -> None:
    with live.client() as client:
        paths = [client.post("/", json={"rows": 2, "cols": 2}).headers["location"] for _ in "abc"]
        assert [client.get(path).json()["state"] for path in paths] == ["initiating"] * 3


def test_the_end_of_the_server_answers_who_is_held() -> None:
    with live_server() as live:
        path = live.new_game(seats=3)
        players = [join(live, path, "ann"), join(live, path, "bob")]
        waiting = ask_for_match(live)
        live.wait_for_players(path, 2)
        live.wait_until(lambda: len(live.lobby._queue) == 1)
    for one in (*players, waiting):
        assert error(one.answer(), 503) == "the server is ending"
    with pytest.raises(httpx.ConnectError):
        httpx.get(live.url)


# --- Observers ----------------------------------------------------------------------------------


def test_an_observer_hears_all_until_the_game_ends(live: Live, http: httpx.Client) -> None:
    path = live.new_game(seed=3)
    with http.stream("POST", f"{path}/observers") as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"] == "application/x-multi-json"
        lines = stream.iter_lines()
        assert json.loads(next(lines))["state"] == "initiating"
        token, other = two_players(live, path)
        joined = json.loads(next(lines))
        assert (joined["state"], len(joined["players"])) == ("initiating", 1)
        assert json.loads(next(lines))["state"] == "in play"
        mine = move(live, path, token, "PASS")
        assert json.loads(next(lines))["state"] == "in play"
        move(live, path, other.answer().headers["x-turn-token"], "PASS").answer()
        assert json.loads(next(lines))["state"] == "completed"
        assert list(lines) == []
        mine.answer()
    again = http.post(f"{path}/observers")
    assert json.loads(again.text) == http.get(path).json()
    live.wait_until(lambda: live.lobby._observers == 0)


def test_documents_are_wrapped(live: Live, http: httpx.Client) -> None:
    path = live.new_game()
    token, other = two_players(live, path)
    move(live, path, token, 3).answer()
    other.answer()
    wrapper = "<script>update(%s);</script>%s\n"
    answer = http.post(f"{path}/observers", json={"wrapper": wrapper})
    game = answer.text.removeprefix("<script>update(").removesuffix("\n);</script>%s\n")
    assert json.loads(game) == http.get(path).json()
    assert http.post(f"{path}/observers", json={"wrapper": "tick"}).text == "tick"
    assert error(http.post(f"{path}/observers", json={"wrapper": 3}), 403)


def test_an_observer_who_goes_away_is_forgotten(live: Live) -> None:
    path = live.new_game()
    table = table_at(live, path)
    with closing(live.socket()) as gone:
        gone.sendall(request("POST", f"{path}/observers"))
        assert gone.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert len(live.ask(lambda: [*table.observers])) == 1
    live.wait_until(lambda: not table.observers)


def test_an_observer_who_stops_reading_is_dropped_and_the_game_goes_on() -> None:
    with live_server(observer_bytes=10_000) as live:
        path = live.new_game(20, 20)
        table = table_at(live, path)
        with closing(live.socket()) as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            body = json.dumps({"wrapper": "x" * 60_000 + "%s"})
            idle.sendall(request("POST", f"{path}/observers", body))
            live.wait_until(lambda: len(table.observers) == 1)
            (observer,) = live.ask(lambda: [*table.observers])
            play_whole(live, path, 2)
            assert observer.is_dropped
            live.wait_until(lambda: live.lobby._observers == 0)


def test_an_observer_who_does_not_read_the_end_is_dropped_after_a_while() -> None:
    with live_server(linger_ns=50 * MILLISECOND) as live:
        path = live.new_game(200, 200, seed_coverage=1)
        for held in (join(live, path, "ann"), join(live, path, "bob")):
            held.answer()
        with closing(live.socket()) as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            body = json.dumps({"wrapper": "%s" + "x" * 60_000})
            for _ in range(4):  # more than the system keeps for a client that does not read
                idle.sendall(request("POST", f"{path}/observers", body))
            assert idle.recv(100).startswith(b"HTTP/1.1 200 ")
            live.wait_until(lambda: live.lobby._observers == 0)
