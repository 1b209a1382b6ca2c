"""Playing through the API alone: with a token of an account, and without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.people.context import State
from tests.website.play.clicking import Clicker, wait_until

if TYPE_CHECKING:
    from tests.website.people import World

PATHS = {
    "/api/v1/plays": {"post"},
    "/api/v1/plays/{play}": {"get"},
    "/api/v1/plays/{play}/events": {"get"},
    "/api/v1/plays/{play}/join": {"post"},
    "/api/v1/plays/{play}/rematch": {"post"},
    "/api/v1/plays/{play}/resign": {"post"},
    "/api/v1/plays/{play}/step": {"post"},
    "/api/v1/plays/{play}/turn": {"post"},
}


def test_all_of_it_is_documented(world: World) -> None:
    document = world.browser().get("/openapi.json").json()
    found = {path: set(ways) for path, ways in document["paths"].items() if "/plays" in path}
    assert found == PATHS
    for ways in (document["paths"][path] for path in PATHS):
        for way in ways.values():
            assert way["description"]
            assert "404" in way["responses"] or way["operationId"].startswith("open_match")


def test_a_program_without_an_account_plays_with_its_secret(world: World) -> None:
    browser = world.browser()
    opened = browser.send("POST", "/api/v1/plays", json={"game": "hive", "seat": 0})
    assert opened.status_code == 201
    body = opened.json()
    assert body["seat"] == 0
    assert browser.cookie("player") is None
    program = Clicker(world, browser, body["key"])
    assert program.send("").status_code == 404
    program.headers = {"X-Play-Secret": body["secret"]}
    program.wait()
    program.call("/turn", {"moment": program.look()["moment"], "text": "wS1"})
    program.wait()
    assert program.look()["turns"][0]["told"] == ["guest: wS1"]


def test_programs_of_accounts_play_with_their_tokens(world: World) -> None:
    def token_of(name: str) -> dict[str, str]:
        user = world.store.users.find(name) or world.add_user(name)
        world.store.tokens.add(user.id, "laptop", f"agon_{name}", world.clock())
        return {"Authorization": f"Bearer agon_{name}"}

    browser = world.browser()

    def call(name: str, path: str, body: Any) -> Any:
        response = browser.send("POST", f"/api/v1/plays{path}", json=body, headers=tokens[name])
        assert response.is_success, response.text
        return response.json()

    tokens = {name: token_of(name) for name in ("ada", "bob")}
    opened = call("ada", "", {"game": "hive", "opponent": "person", "seat": 1})
    assert (opened["seat"], opened["secret"]) == (1, None)
    key = opened["key"]
    assert call("bob", f"/{key}/join", {})["seat"] == 0
    session = world.site.plays.find(key)
    assert session
    wait_until(world, session, lambda one: one.may_act(0))
    play = call("bob", f"/{key}/turn", {"moment": 1, "text": "wS1"})
    assert [one["name"] for one in play["players"]] == ["bob", "ada"]
    wait_until(world, session, lambda one: one.may_act(1))
    call("ada", f"/{key}/resign", {})
    wait_until(world, session, lambda one: one.state is State.OVER)
    again = call("ada", f"/{key}/rematch", {})
    assert again["seat"] == 0
    seen = browser.send("GET", f"/api/v1/plays/{key}", headers=tokens["bob"]).json()
    assert seen["rematch"] == again["key"]


def test_a_body_that_is_no_wish(world: World) -> None:
    browser = world.browser()
    for body in ({}, {"game": 7}, {"game": "hive", "seat": -1}, {"game": "hive", "options": "x"}):
        assert browser.send("POST", "/api/v1/plays", json=body).status_code == 422


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"seat": 2}, "seat 2: expected 0 to 1"),
        ({"players": 9}, "9 seats: Hive is for 2"),
        ({"players": 1}, "1 seats: Hive is for 2"),
    ],
)
def test_the_game_says_how_many_play(world: World, wish: dict[str, int], told: str) -> None:
    answer = world.browser().send("POST", "/api/v1/plays", json={"game": "hive", **wish})
    assert (answer.status_code, answer.json()["error"]) == (400, told)
