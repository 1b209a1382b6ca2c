"""A request that another site made a browser send changes nothing."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agon.website.http.body_limit import MOST_BYTES
from agon.website.site import SiteSettings
from tests.website.people import PASSWORD, World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import Browser

LOG_IN = {"name": "ada", "password": PASSWORD}
FORGED = [
    {},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://agon.test"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.test"},
    {"Origin": "https://evil.test"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "agon.test"},
    {"Origin": "http://agon.test.evil.test"},
    {"Origin": "http://evil.test/http://agon.test"},
    {"Origin": "http://agon.test:8000"},
    {"Origin": "http://www.agon.test"},
    {"Referer": "http://agon.test/account"},
    {"Host": "agon.test/api"},
]
OWN = [
    {"Origin": "http://agon.test"},
    {"Origin": "https://agon.test"},  # a proxy speaks HTTPS
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://agon.test"},
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = make_world(tmp_path / "agon.db")
    world.add_user("ada")
    yield world
    world.close()


def is_logged_in(browser: Browser) -> bool:
    return browser.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize("headers", FORGED)
def test_a_forged_form_is_refused(world: World, headers: dict[str, str]) -> None:
    browser = world.browser("ada")
    answer = browser.send("POST", "/logout", headers=headers)
    assert answer.status_code == 403
    assert "did not come from a page of this site" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert is_logged_in(browser)


@pytest.mark.parametrize("headers", OWN)
def test_a_form_of_ours_is_taken(world: World, headers: dict[str, str]) -> None:
    browser = world.browser("ada")
    assert browser.send("POST", "/logout", headers=headers).status_code == 303
    assert not is_logged_in(browser)


@pytest.mark.parametrize("headers", FORGED)
def test_a_log_in_cannot_be_forged_either(world: World, headers: dict[str, str]) -> None:
    browser = world.browser()
    assert browser.send("POST", "/login", data=LOG_IN, headers=headers).status_code == 403
    assert not is_logged_in(browser)


def test_with_https_a_plain_page_of_the_same_host_is_another_site(tmp_path: Path) -> None:
    with closing(make_world(tmp_path / "agon.db", SiteSettings(secure_cookies=True))) as world:
        world.add_user("ada")
        browser = world.browser("ada")
        plain = {"Origin": "http://agon.test"}
        assert browser.send("POST", "/logout", headers=plain).status_code == 403
        assert browser.post("/logout").status_code == 303


def test_the_api_does_not_take_cookies_from_another_site(world: World) -> None:
    browser = world.browser("ada")
    body = {"name": "x"}
    for headers in FORGED:
        refused = browser.send("POST", "/api/v1/tokens", json=body, headers=headers)
        assert refused.status_code == 403
        assert refused.json()["error"].startswith("This request did not come from")
    made = browser.send("POST", "/api/v1/tokens", json=body, headers=browser.own)
    assert made.status_code == 201


def test_a_program_with_a_token_needs_no_origin(world: World) -> None:
    program = world.browser()
    secret = program.send("POST", "/api/v1/login", json=LOG_IN).json()["token"]
    shown = {"Authorization": f"Bearer {secret}"}
    assert program.send("POST", "/api/v1/tokens", json={"name": "x"}, headers=shown).is_success


def test_a_bad_token_does_not_let_cookies_through(world: World) -> None:
    browser = world.browser("ada")
    for shown in ("Bearer agon_wrong", "Bearer"):
        headers = {"Authorization": shown}
        answer = browser.send("POST", "/api/v1/tokens", json={"name": "x"}, headers=headers)
        assert answer.status_code == 401
    answer = browser.send("POST", "/account/tokens", data={"name": "x"}, headers=headers)
    assert answer.headers["location"] == "/login"
    basic = {"Authorization": "Basic eDp5"}
    answer = browser.send("POST", "/api/v1/tokens", json={"name": "x"}, headers=basic)
    assert answer.status_code == 403
    ada = world.store.users.find("ada")
    assert ada
    assert world.store.tokens.of_user(ada.id) == []


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST", "QUERY"])
def test_all_that_may_change_something_is_checked(world: World, method: str) -> None:
    browser = world.browser("ada")
    assert browser.send(method, "/anything").status_code == 403
    assert browser.send(method, "/api/v1/me").status_code == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_what_changes_nothing_is_not(world: World, method: str) -> None:
    foreign = {"Origin": "https://evil.test", "Sec-Fetch-Site": "cross-site"}
    assert world.browser().send(method, "/login", headers=foreign).status_code in (200, 405)


def test_a_form_is_not_endless(world: World) -> None:
    browser = world.browser()
    assert browser.post("/login", name="x" * MOST_BYTES).status_code == 413
    assert browser.post("/login", name="x" * (MOST_BYTES - 200)).status_code == 422
