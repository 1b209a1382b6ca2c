"""A user's own page: password, tokens, sessions, the end of the account."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from agon.arena.rate_limit import RateLimit
from agon.datastore import User, new_secret, schema
from agon.website.accounts.policy import AccountPolicy
from tests.website.people import CHEAP, PASSWORD

if TYPE_CHECKING:
    from tests.website.accounts.conftest import Make
    from tests.website.people import Browser, World

NEW = "battery staple"
GUESS = "a good guess"
SECRET = re.compile(r"agon_[\w-]{43}")


def is_logged_in(browser: Browser) -> bool:
    return browser.get("/api/v1/me").status_code == 200


def find(world: World, name: str) -> User:
    user = world.store.users.find(name)
    assert user
    return user


def shown(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_a_new_password_ends_the_other_sessions(world: World) -> None:
    mine, other = world.browser("ada"), world.browser("ada")
    answer = mine.post("/account/password", old=PASSWORD, new=NEW, again=NEW)
    assert answer.headers["location"] == "/account?done=password"
    assert "Your password is changed" in mine.get("/account?done=password").text
    assert is_logged_in(mine)
    assert not is_logged_in(other)
    assert other.post("/login", name="ada", password=PASSWORD).status_code == 422
    assert other.post("/login", name="ada", password=NEW).status_code == 303


@pytest.mark.parametrize(
    ("old", "new", "again", "told"),
    [
        ("wrong", NEW, NEW, "This is not your password."),
        ("", NEW, NEW, "This is not your password."),
        (PASSWORD, NEW, NEW + "x", "The two new passwords are not the same."),
        (PASSWORD, "short", "short", "Password of 5 characters"),
    ],
)
def test_a_password_that_is_not_changed(
    world: World, old: str, new: str, again: str, told: str
) -> None:
    browser = world.browser("ada")
    before = find(world, "ada").password_hash
    answer = browser.post("/account/password", old=old, new=new, again=again)
    assert answer.status_code == 422
    assert told in answer.text
    assert NEW not in answer.text
    assert find(world, "ada").password_hash == before


def test_passwords_cannot_be_guessed_in_a_browser_left_open(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, log_in_by_account=RateLimit(3, 60)))
    world.add_user("ada")
    browser = world.browser("ada")
    for path in ("/account/password", "/account/close", "/account/password"):
        assert browser.post(path, old=GUESS, password=GUESS).status_code == 422
    for path in ("/account/password", "/account/close"):
        refused = browser.post(path, old=PASSWORD, password=PASSWORD)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")


def test_log_out_everywhere_else(world: World) -> None:
    mine, other, olgas = world.browser("ada"), world.browser("ada"), world.browser("olga")
    assert "Log out everywhere else" in mine.get("/account").text
    assert mine.post("/account/sessions/end").status_code == 303
    assert is_logged_in(mine)
    assert not is_logged_in(other)
    assert is_logged_in(olgas)
    assert "Log out everywhere else" not in mine.get("/account").text


@pytest.mark.parametrize("path", ["/account/password", "/account/sessions/end"])
def test_a_program_has_no_session_to_keep(world: World, path: str) -> None:
    secret, ada = new_secret(), find(world, "ada")
    world.store.tokens.add(ada.id, "laptop", secret, world.clock())
    browser = world.browser("ada")
    fields = {"old": PASSWORD, "new": NEW, "again": NEW}
    answer = world.browser().send("POST", path, data=fields, headers=shown(secret))
    assert answer.status_code == 303
    assert not is_logged_in(browser)


def test_a_token_is_shown_once_and_kept_as_a_hash(world: World) -> None:
    browser = world.browser("ada")
    answer = browser.post("/account/tokens", name="my <laptop>")
    assert answer.headers["cache-control"] == "no-store"
    (secret,) = set(SECRET.findall(answer.text))
    assert "my &lt;laptop&gt;" in answer.text
    page = browser.get("/account").text
    assert "my &lt;laptop&gt;" in page
    assert secret not in page
    assert world.browser().get("/api/v1/me", headers=shown(secret)).json()["name"] == "ada"
    with world.store.database.read() as connection:
        row = connection.execute(schema.tokens.select()).one()
    assert secret not in str(row)
    assert len(row.digest) == 64


@pytest.mark.parametrize("name", ["", "   ", "x" * 101, "a\nb"])
def test_a_token_needs_a_name(world: World, name: str) -> None:
    browser = world.browser("ada")
    answer = browser.post("/account/tokens", name=name)
    assert answer.status_code == 422
    assert "expected 1 to 100 printable" in answer.text
    assert world.store.tokens.of_user(find(world, "ada").id) == []


def test_a_user_has_only_so_many_tokens(make: Make) -> None:
    world = make(guard=AccountPolicy(passwords=CHEAP, most_tokens=2))
    ada = world.add_user("ada")
    browser = world.browser("ada")
    for name in ("a", "b"):
        assert browser.post("/account/tokens", name=name).status_code == 200
    refused = browser.post("/account/tokens", name="c")
    assert refused.status_code == 422
    assert "You have 2 tokens" in refused.text
    first = world.store.tokens.of_user(ada.id)[0]
    assert browser.post(f"/account/tokens/{first.id}/revoke").status_code == 303
    assert browser.post("/account/tokens", name="c").status_code == 200


def test_a_revoked_token_opens_nothing(world: World) -> None:
    browser, program = world.browser("ada"), world.browser()
    (secret,) = set(SECRET.findall(browser.post("/account/tokens", name="laptop").text))
    (token,) = world.store.tokens.of_user(find(world, "ada").id)
    others = world.browser("olga").post(f"/account/tokens/{token.id}/revoke")
    assert others.status_code == 404
    assert program.get("/api/v1/me", headers=shown(secret)).status_code == 200
    assert browser.post(f"/account/tokens/{token.id}/revoke").status_code == 303
    assert program.get("/api/v1/me", headers=shown(secret)).status_code == 401
    assert "You have no tokens." in browser.get("/account").text


def test_an_account_is_closed_with_the_password(world: World) -> None:
    browser, other = world.browser("ada"), world.browser("ada")
    refused = browser.post("/account/close", password=GUESS)
    assert refused.status_code == 422
    assert "This is not your password." in refused.text
    assert find(world, "ada").removed_ns is None
    assert browser.post("/account/close", password=PASSWORD).headers["location"] == "/"
    assert find(world, "ada").removed_ns == world.clock()
    assert browser.cookie("session") is None
    assert not is_logged_in(other)
    taken = world.browser().post("/register", name="Ada", password=PASSWORD, again=PASSWORD)
    assert taken.status_code == 409


def test_the_only_organiser_cannot_go(world: World) -> None:
    browser = world.browser("olga")
    refused = browser.post("/account/close", password=PASSWORD)
    assert refused.status_code == 422
    assert "You are the only organiser" in refused.text
    world.store.users.set_organiser(find(world, "ada").id, True)
    assert browser.post("/account/close", password=PASSWORD).status_code == 303


def test_what_is_done_is_said_in_our_own_words(world: World) -> None:
    page = world.browser("ada").get("/account?done=<script>alert(1)</script>").text
    assert "alert(1)" not in page
