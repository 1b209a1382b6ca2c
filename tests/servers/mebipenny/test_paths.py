"""Every path and method of the server, with real clients over real connections."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.mebipenny.live_server import error

if TYPE_CHECKING:
    import httpx

    from tests.servers.mebipenny.live_server import Live

# --- Making and looking at games ----------------------------------------------------------------


def test_a_new_game_is_made_listed_and_seen(http: httpx.Client) -> None:
    answer = http.post("/", json={"rows": 5, "cols": 6, "seats": 3, "seed_coverage": 0.2})
    assert answer.status_code == 201
    path = answer.headers["location"]
    assert answer.content == b""
    assert {"id": path[1:], "state": "initiating"} in http.get("/").json()
    game = http.get(path)
    assert game.status_code == 200
    assert game.headers["content-type"] == "application/json"
    assert {key: game.json()[key] for key in ("rows", "cols", "draw_size", "players")} == {
        "rows": 5,
        "cols": 6,
        "draw_size": 24,
        "players": [],
    }
    assert len(game.json()["claims"]) == 6
    assert game.json()["player_id"] is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"rows": 3}, 'new game {"rows": 3}: cols is missing'),
        ({"rows": 0, "cols": 3}, "rows 0: expected 1 to 256"),
        ({"rows": 3, "cols": 257}, "cols 257: expected 1 to 256"),
        ({"rows": 3, "cols": 3, "seats": 5}, "seats 5: expected 2 to 4"),
        ({"rows": 3, "cols": 3, "seats": 1}, "seats 1: expected 2 to 4"),
        ({"rows": "3", "cols": 3}, 'rows "3": expected a whole number'),
        ({"rows": 3, "cols": 3, "seed": 2**63}, "seed 9223372036854775808: expected"),
        ({"rows": 3, "cols": 3, "seed_coverage": 2}, "seed_coverage 2: expected a number"),
        ([], "new game []: expected an object"),
    ],
)
def test_a_bad_new_game_is_refused(http: httpx.Client, data: Any, why: str) -> None:
    assert error(http.post("/", json=data), 403).startswith(why)


@pytest.mark.parametrize(
    "data", [{}, {"name": 3}, [], {"name": "x" * 201}, {"name": "\0"}, {"name": "\ud800"}]
)
def test_a_bad_new_player_is_refused(live: Live, http: httpx.Client, data: Any) -> None:
    path = live.new_game()
    answer = http.post(f"{path}/players", content=json.dumps(data))
    assert "expected" in error(answer, 403) or "longer than" in error(answer, 403)
    assert http.get(path).json()["players"] == []


NOT_JSON = ("expected JSON", "nested too deeply")


@pytest.mark.parametrize("body", [b"", b"{", b"rows=3", b"\xff\xfe\xff", b"[" * 5000, b"Infinity"])
def test_what_is_not_json_is_refused(live: Live, http: httpx.Client, body: bytes) -> None:
    path = live.new_game()
    assert error(http.post("/", content=body), 400).endswith(NOT_JSON)
    assert error(http.post(f"{path}/players", content=body), 400).endswith(NOT_JSON)
    if body:
        assert error(http.post(f"{path}/observers", content=body), 400).endswith(NOT_JSON)


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "image/png", "garbage"]
)
def test_the_type_of_a_body_does_not_matter(http: httpx.Client, kind: str | None) -> None:
    headers = {} if kind is None else {"content-type": kind}
    assert http.post("/", content=b'{"rows":3,"cols":3}', headers=headers).status_code == 201


def test_a_body_may_come_in_chunks(http: httpx.Client) -> None:
    chunks = (byte.encode() for byte in '{"rows": 3, "cols": 3}')
    assert http.post("/", content=chunks).status_code == 201


def test_large_bodies_are_refused(live: Live, http: httpx.Client) -> None:
    path = live.new_game()
    for place in ("/", f"{path}/players", f"{path}/moves", f"{path}/observers"):
        for body in (b" " * 70_000, (b" " * 1000 for _ in range(200))):
            answer = http.post(place, content=body)
            assert error(answer, 413) == "the body is too large: expected at most 65536 bytes"
    assert http.post("/", content=b'{"rows":3,"cols":3}'.ljust(65536)).status_code == 201


# --- Paths and methods --------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/nope", "/0123456789abcdef", "/%00", "/" + "a" * 2000, "/é"])
def test_an_unknown_game_is_not_found(http: httpx.Client, path: str) -> None:
    assert error(http.get(path), 404).endswith("there is none")
    for place, body in (("players", {"name": "a"}), ("moves", "PASS"), ("observers", {})):
        assert error(http.post(f"{path}/{place}", json=body), 404).endswith("there is none")


@pytest.mark.parametrize("path", ["/a/b", "/a/players/", "/a/players/b", "/match/"])
def test_an_unknown_path_is_not_found(http: httpx.Client, path: str) -> None:
    assert error(http.get(path), 404).startswith("path '")


def test_wrong_methods_are_told_the_right_ones(live: Live, http: httpx.Client) -> None:
    path = live.new_game()
    for place, allowed in (
        ("/", "GET, HEAD, POST, OPTIONS"),
        (path, "GET, HEAD, OPTIONS"),
        (f"{path}/players", "POST, OPTIONS"),
        (f"{path}/moves", "POST, OPTIONS"),
        (f"{path}/observers", "POST, OPTIONS"),
        ("/match", "GET, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
    ):
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"):
            if method not in allowed.split(", "):
                answer = http.request(method, place)
                assert answer.status_code == 405
                assert answer.headers["allow"] == allowed
        answer = http.options(place)
        assert (answer.status_code, answer.headers["allow"]) == (204, allowed)
        assert answer.content == b""
        assert "content-length" not in answer.headers


def test_head_is_get_without_the_body(live: Live, http: httpx.Client) -> None:
    path = live.new_game(seed=1)
    head, get = http.head(path), http.get(path)
    assert head.content == b""
    assert head.headers["content-length"] == get.headers["content-length"]
    assert http.head("/").status_code == 200
