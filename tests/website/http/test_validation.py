"""A request that is wrong is answered with what was wrong in it, and what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agon.website.http.validation import tell_invalid
from tests.website.people import PASSWORD, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx import Response

    from tests.website.people import World


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("olga", organiser=True)
    yield world
    world.close()


def send(world: World, method: str, path: str, **settings: Any) -> Response:
    """Ask the API as olga does, with a token."""
    browser = world.browser()
    credentials = {"name": "olga", "password": PASSWORD}
    token = browser.send("POST", "/api/v1/login", json=credentials).json()["token"]
    return browser.send(method, path, headers={"Authorization": f"Bearer {token}"}, **settings)


@pytest.mark.parametrize(
    ("method", "path", "body", "told"),
    [
        ("POST", "/challenges", {"game": "hive"}, "players is missing: expected it in the body"),
        (
            "POST",
            "/challenges",
            {"game": "hive", "players": [{"bot_id": "one"}]},
            'players.0.bot_id "one": expected a valid integer',
        ),
        (
            "POST",
            "/challenges",
            {"game": "g" * 50, "players": []},
            f'game "{"g" * 50}": expected at most 40 characters',
        ),
        ("GET", "/matches?limit=999", None, 'limit "999": expected less than or equal to 200'),
        ("GET", "/bots/zero", None, 'bot_id "zero": expected a valid integer'),
        ("POST", "/tokens", [1], "the body [1]: expected a valid dictionary"),
    ],
)
def test_what_is_wrong_is_quoted(
    world: World, method: str, path: str, body: object, told: str
) -> None:
    answer = send(world, method, f"/api/v1{path}", **({} if body is None else {"json": body}))
    assert answer.status_code == 422
    assert told in answer.json()["error"]


def test_a_password_is_not_repeated(world: World) -> None:
    wrong = {"name": "olga", "password": "swordfish" * 999}
    answer = world.browser().send("POST", "/api/v1/login", json=wrong)
    assert answer.status_code == 422
    assert answer.json()["error"] == "password: expected at most 4096 characters"


def test_a_body_that_is_no_json(world: World) -> None:
    headers = {"Content-Type": "application/json"}
    send_text = world.browser().send
    half = send_text("POST", "/api/v1/login", content=b'{"name":', headers=headers)
    assert half.status_code == 422
    assert half.json()["error"].startswith("the body is no JSON: Expecting value at character 8")
    noise = send_text("POST", "/api/v1/login", content=b"\x80X", headers=headers)
    assert noise.status_code == 400
    assert noise.json() == {"error": "The body is no text: expected JSON in UTF-8"}


def test_many_mistakes_are_not_told_one_by_one(world: World) -> None:
    players = [{"bot_id": -one} for one in range(8)]
    body = {"game": "hive", "players": players}
    error = send(world, "POST", "/api/v1/challenges", json=body).json()["error"]
    assert error.endswith("; and 3 more")


def test_a_method_that_is_not_there_is_told_which_are(world: World) -> None:
    answer = world.browser().send("PATCH", "/api/v1/contests/1")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "DELETE, GET, PUT"
    assert answer.json() == {"error": "PATCH /api/v1/contests/1: expected DELETE, GET, PUT"}


def tell(given: object) -> str:
    return tell_invalid([{"type": "odd", "loc": ("body", "x"), "msg": "no", "input": given}])


def test_what_came_is_quoted_as_far_as_it_is_short_and_can_be_read() -> None:
    assert tell("s" * 58) == f'x "{"s" * 58}": no'
    assert tell("s" * 59) == f'x "{"s" * 59}…: no'
    assert tell("\u202eabc\x00") == 'x "\ufffdabc\\u0000": no'
    assert tell({1}) == "x {1}: no", "what is no JSON"
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert tell(deep) == "x what is nested too deeply: no"


def test_as_many_mistakes_as_are_told() -> None:
    errors = [{"type": "missing", "loc": ("body", str(one)), "msg": ""} for one in range(6)]
    assert tell_invalid(errors[:5]).endswith("; 4 is missing: expected it in the body")
    assert tell_invalid(errors).endswith("; 4 is missing: expected it in the body; and 1 more")
    assert tell_invalid(errors[:1] * 9) == "0 is missing: expected it in the body"


def test_a_long_name_is_shortened_too() -> None:
    error = {"type": "extra_forbidden", "loc": ("body", "x" * 9999), "msg": "no", "input": 1}
    assert len(tell_invalid([error])) < 100


@pytest.mark.parametrize("depth", [500, 900, 990, 5_000, 100_000])
@pytest.mark.parametrize("around", ["%s", '{"name": %s, "password": ""}', '{"other": %s}'])
def test_deep_nests_are_told(world: World, depth: int, around: str) -> None:
    body = around % ("[" * depth + "]" * depth)
    headers = {"Content-Type": "application/json"}
    answer = world.browser().send("POST", "/api/v1/login", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    told = answer.json()["error"]
    assert told == "The body is nested too deeply" or (depth < 1000 and "expected" in told)
