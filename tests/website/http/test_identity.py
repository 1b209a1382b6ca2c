"""Who asks: a session's user, a token's user, or no user at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.requests import Request

from agon.datastore import User, new_secret
from agon.website.sessions import read_cookie
from tests.website.people import PASSWORD, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import Browser, World


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("ada")
    yield world
    world.close()


def me(browser: Browser) -> str | None:
    """Who the site thinks the browser's user is."""
    name: str | None = browser.get("/api/v1/me").json().get("name")
    return name


def test_a_token_counts_and_not_the_cookie_beside_it(world: World) -> None:
    secret, olga = new_secret(), world.add_user("olga", organiser=True)
    world.store.tokens.add(olga.id, "laptop", secret, world.clock())
    browser = world.browser("ada")
    shown = {"Authorization": f"Bearer {secret}"}
    assert browser.get("/api/v1/me", headers=shown).json()["name"] == "olga"
    assert browser.get("/users", headers=shown).status_code == 200
    refused = browser.get("/users")
    assert (refused.status_code, "This is for organisers." in refused.text) == (403, True)


def test_what_a_stranger_and_a_bad_token_are_told(world: World) -> None:
    bad = {"Authorization": "Bearer agon_x"}
    for headers, told in (({}, "Log in first, or send a token"), (bad, "The token is not known")):
        answer = world.browser().get("/api/v1/me", headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["error"].startswith(told)


def test_a_temporary_password_opens_the_account_page_alone(world: World) -> None:
    ada = world.store.users.find("ada")
    assert ada
    browser = world.browser("ada")
    world.store.users.set_password(ada.id, ada.password_hash, is_temporary=True)
    assert browser.get("/account").status_code == 200
    assert browser.get("/upload").headers["location"] == "/account"
    refused = browser.get("/api/v1/me")
    assert refused.status_code == 403
    assert refused.json()["error"].startswith("Your password is temporary")


def test_a_removed_user_is_out_at_once(world: World) -> None:
    browser = world.browser("ada")
    token = browser.send(
        "POST", "/api/v1/login", json={"name": "ada", "password": PASSWORD}, headers=browser.own
    ).json()["token"]
    program = world.browser()
    shown = {"Authorization": f"Bearer {token}"}
    assert program.get("/api/v1/me", headers=shown).status_code == 200
    ada = world.store.users.find("ada")
    assert isinstance(ada, User)
    world.store.users.remove(ada.id, world.clock())
    assert me(browser) is None
    assert browser.get("/account").status_code == 303
    assert program.get("/api/v1/me", headers=shown).status_code == 401
    assert world.browser().post("/login", name="ada", password=PASSWORD).status_code == 422


@pytest.mark.parametrize("cookie", ["x", "x" * 5000, "", "ä", "'; DROP TABLE sessions; --"])
def test_odd_cookies_belong_to_no_user(world: World, cookie: str) -> None:
    browser = world.browser()
    headers = {"Cookie": f"agon_session={cookie}".encode()}
    assert browser.get("/api/v1/me", headers=headers).status_code == 401
    assert browser.get("/login", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("value", "is_read"), [("", False), ("x", True), ("x" * 100, True), ("x" * 101, False)]
)
def test_cookies_that_can_be_ours(value: str, is_read: bool) -> None:
    request = Request({"type": "http", "headers": [(b"cookie", f"a={value}".encode())]})
    assert read_cookie(request, "a") == (value if is_read else None)


@pytest.mark.parametrize(
    "shown",
    ["Bearer", "Bearer ", "Bearer agon_x", "bearer \u00e4", "Bearer a b c", "Bearer " * 999],
)
def test_odd_tokens_belong_to_no_user_also_beside_a_cookie(world: World, shown: str) -> None:
    browser = world.browser("ada")
    assert me(browser) == "ada"
    headers = {"Authorization": shown.encode("latin-1")}
    assert browser.get("/api/v1/me", headers=headers).status_code == 401


def test_other_ways_to_authorise_are_not_ours(world: World) -> None:
    browser = world.browser("ada")
    assert browser.get("/api/v1/me", headers={"Authorization": "Basic eDp5"}).status_code == 200
