"""The organisers' page of users."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from agon.datastore import User, new_secret
from tests.website.accounts.test_log_in import set_cookies
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from httpx import Response

    from tests.website.people import Browser, World

NEW = "battery staple"
SHOWN = re.compile(r'<code class="secret">([\w-]+)</code>')


def find(world: World, name: str) -> User:
    user = world.store.users.find(name)
    assert user
    return user


def password_after(browser: Browser, answer: Response) -> str:
    """What the page tells to which the browser is sent on."""
    assert (answer.status_code, answer.headers["location"]) == (303, "/users")
    answer = browser.get("/users")
    assert answer.headers["cache-control"] == "no-store"
    found = SHOWN.search(answer.text)
    assert found
    return found[1]


def test_all_users_are_listed(world: World) -> None:
    world.store.users.add("<script>", "", world.clock())
    world.store.users.remove(find(world, "<script>").id, world.clock())
    page = world.browser("olga").get("/users").text
    assert "&lt;script&gt;" in page
    assert "<script>" not in page.replace("<script src=", "")
    assert page.count('<details class="panel">') == 3
    assert "removed" in page


def test_a_new_password_is_shown_once_and_must_be_changed(world: World) -> None:
    ada = find(world, "ada")
    old, secret = world.browser("ada"), new_secret()
    world.store.tokens.add(ada.id, "laptop", secret, world.clock())
    olga = world.browser("olga")
    answer = olga.post("/users/ada/password")
    told = set_cookies(answer)["agon_told"]
    assert told == {"httponly", "path=/users", "samesite=strict", "max-age=60"}
    temporary = password_after(olga, answer)
    again = olga.get("/users").text
    assert temporary not in again
    assert "secret" not in again
    assert old.get("/api/v1/me").status_code == 401
    assert world.store.tokens.use(secret, world.clock()) is None

    browser = world.browser()
    assert browser.post("/login", name="ada", password=PASSWORD).status_code == 422
    entered = browser.post("/login", name="ada", password=temporary, next="/play")
    assert entered.headers["location"] == "/account"
    assert "Choose your own before" in browser.get("/account").text
    assert browser.post("/account/tokens", name="x").headers["location"] == "/account"
    assert browser.get("/api/v1/me").status_code == 403
    api = {"name": "ada", "password": temporary}
    assert world.browser().send("POST", "/api/v1/login", json=api).status_code == 403

    changed = browser.post("/account/password", old=temporary, new=NEW, again=NEW)
    assert changed.status_code == 303
    assert browser.get("/api/v1/me").json()["name"] == "ada"
    assert world.browser().post("/login", name="ada", password=temporary).status_code == 422


def test_an_account_for_another_user(world: World) -> None:
    olga = world.browser("olga")
    temporary = password_after(olga, olga.post("/users", name="bob"))
    bob = find(world, "bob")
    assert (bob.organiser, bob.password_is_temporary) == (False, True)
    assert world.browser().post("/login", name="bob", password=temporary).status_code == 303
    password_after(olga, olga.post("/users", name="carol", rights="organiser"))
    assert find(world, "carol").organiser


@pytest.mark.parametrize(("name", "status"), [("Ada", 409), ("a b", 422), ("", 422)])
def test_an_account_that_cannot_be(world: World, name: str, status: int) -> None:
    answer = world.browser("olga").post("/users", name=name)
    assert answer.status_code == status
    assert 'class="problem"' in answer.text
    assert len(world.store.users.all()) == 2


def test_rights_are_given_and_taken(world: World) -> None:
    olga, ada = world.browser("olga"), world.browser("ada")
    assert ada.get("/users").status_code == 403
    assert olga.post("/users/ada/organiser", rights="organiser").status_code == 303
    assert ada.get("/users").status_code == 200
    assert olga.post("/users/ada/organiser", rights="user").status_code == 303
    assert ada.get("/users").status_code == 403
    assert olga.post("/users/ada/organiser", rights="king").status_code == 422


def test_a_user_is_removed(world: World) -> None:
    ada = world.browser("ada")
    assert world.browser("olga").post("/users/ADA/remove").status_code == 303
    assert find(world, "ada").removed_ns == world.clock()
    assert ada.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize("what", ["password", "organiser", "remove"])
def test_an_organiser_does_nothing_to_themselves_here(world: World, what: str) -> None:
    answer = world.browser("olga").post(f"/users/olga/{what}", rights="user")
    assert answer.status_code == 409
    olga = find(world, "olga")
    assert (olga.organiser, olga.removed_ns, olga.password_is_temporary) == (True, None, False)


@pytest.mark.parametrize("what", ["password", "organiser", "remove"])
@pytest.mark.parametrize("name", ["nobody", "gone", "a%00b", "%2e%2e"])
def test_unknown_users_are_refused(world: World, what: str, name: str) -> None:
    world.store.users.remove(world.add_user("gone").id, world.clock())
    assert world.browser("olga").post(f"/users/{name}/{what}").status_code == 404


def test_what_is_wrong_is_quoted_in_part(world: World) -> None:
    olga, long = world.browser("olga"), "x" * 41
    assert f"no user &#39;{long[:40]}&#39;." in olga.post(f"/users/{long}/remove").text
    wrong = olga.post("/users/ada/organiser", rights=long).text
    assert f"rights &#39;{long[:40]}&#39;: expected organiser or user" in wrong
