"""A form that was not sent by a page of ours changes nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agon.website
from agon.website.accounts.csrf import find_token, form_token, is_form_token
from agon.website.http.security import LARGEST_FORM
from agon.website.render.pages import templates
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from tests.website.people import Browser, World

TEMPLATES = Path(agon.website.__file__).parent / "templates"
HIDDEN = '<input type="hidden" name="csrf" value="{{ csrf }}">'
LOG_IN = {"name": "ada", "password": PASSWORD}


def is_logged_in(browser: Browser) -> bool:
    return browser.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize("token", [None, "", "0" * 64, "ä", form_token("another browser's")])
def test_a_form_without_its_token_is_refused(world: World, token: str | None) -> None:
    browser = world.browser("ada")
    fields = {} if token is None else {"csrf": token}
    answer = browser.send("POST", "/logout", data=fields)
    assert answer.status_code == 403
    assert "This form is out of date" in answer.text
    assert is_logged_in(browser)
    assert browser.post("/logout").status_code == 303


def test_a_log_in_cannot_be_forged_either(world: World) -> None:
    browser = world.browser()
    assert browser.send("POST", "/login", data=LOG_IN).status_code == 403
    browser.get("/login")
    assert browser.send("POST", "/login", data=LOG_IN).status_code == 403
    attackers = form_token("the attacker's secret")
    assert browser.send("POST", "/login", data={"csrf": attackers} | LOG_IN).status_code == 403
    assert not is_logged_in(browser)


def test_the_token_is_of_the_session(world: World) -> None:
    browser = world.browser()
    before = browser.token()
    browser.post("/login", **LOG_IN)
    assert browser.token() != before
    assert browser.send("POST", "/logout", data={"csrf": before}).status_code == 403
    other = world.browser("olga")
    assert browser.send("POST", "/logout", data={"csrf": other.token()}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Origin": "https://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://agon.test.evil.test"}, 403),
        ({"Origin": "http://agon.test"}, 303),
        ({}, 303),
    ],
)
def test_the_browser_says_from_where_a_form_comes(
    world: World, headers: dict[str, str], status: int
) -> None:
    browser = world.browser("ada")
    data = {"csrf": browser.token()}
    assert browser.send("POST", "/logout", data=data, headers=headers).status_code == status


def test_scripts_send_the_token_in_a_header(world: World) -> None:
    browser = world.browser("ada")
    token = browser.token()
    refused = browser.send("POST", "/api/v1/tokens", json={"name": "x"})
    assert refused.status_code == 403
    assert refused.json()["error"].startswith("This form is out of date")
    bad = {"X-Csrf-Token": token[:-1]}
    assert browser.send("POST", "/api/v1/tokens", json={"name": "x"}, headers=bad).is_error
    good = {"X-Csrf-Token": token}
    made = browser.send("POST", "/api/v1/tokens", json={"name": "x"}, headers=good)
    assert made.status_code == 201


def test_a_program_with_a_token_needs_none(world: World) -> None:
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
    assert world.browser().send(method, "/login").status_code in (200, 405)


def test_the_games_own_servers_are_outside(world: World) -> None:
    browser = world.browser("ada")
    assert browser.send("POST", "/mebipenny/anything").status_code == 404
    assert browser.send("POST", "/mebipenny").status_code == 404
    assert browser.send("POST", "/mebipennyless").status_code == 403


def test_a_host_does_not_make_a_path(world: World) -> None:
    browser = world.browser("ada")
    headers = {"Host": "agon.test/mebipenny"}
    assert browser.send("POST", "/logout", headers=headers).status_code == 403
    assert is_logged_in(browser)


def test_every_form_of_ours_has_the_token_first() -> None:
    forms = 0
    for name in templates().list_templates():
        source = (TEMPLATES / name).read_text()
        for form in re.finditer(r'<form\b[^>]*method="post"[^>]*>\s*', source, re.IGNORECASE):
            assert source.startswith(HIDDEN, form.end()), f"{name}: {form[0]}"
            forms += 1
    assert forms >= 10


def test_uploads_carry_the_token_first(world: World) -> None:
    browser = world.browser("ada")
    token = browser.token()
    files = {"file": ("bot.zip", b"x" * 100_000)}
    sent = browser.send("POST", "/logout", data={"csrf": token}, files=files)
    assert sent.status_code == 303
    browser = world.browser("ada")
    sent = browser.send("POST", "/logout", data={"csrf": "0" * 64}, files=files)
    assert sent.status_code == 403
    assert is_logged_in(browser)


def test_a_form_is_not_endless(world: World) -> None:
    browser = world.browser()
    token = browser.token()
    large = {"csrf": token, "name": "x" * LARGEST_FORM}
    answer = browser.send("POST", "/login", data=large)
    assert answer.status_code == 413
    almost = {"csrf": token, "name": "x" * (LARGEST_FORM - 200)}
    assert browser.send("POST", "/login", data=almost).status_code == 422


def test_the_body_arrives_whole_after_it_was_looked_at(world: World) -> None:
    browser = world.browser("ada")
    answer = browser.post("/account/tokens", name="naïve & 🐝=x")
    assert "naïve &amp; 🐝=x" in answer.text


BOUNDARY = b"--b\r\n"
PART = b'Content-Disposition: form-data; name="csrf"\r\n\r\n' + b"a" * 64 + b"\r\n--b"


@pytest.mark.parametrize(
    ("content_type", "body", "token"),
    [
        ("application/x-www-form-urlencoded", b"csrf=abc&name=x", "abc"),
        ("application/x-www-form-urlencoded; charset=utf-8", b"csrf=abc", "abc"),
        ("application/x-www-form-urlencoded", b"name=x&csrf=abc", None),
        ("application/x-www-form-urlencoded", b"", None),
        ("application/x-www-form-urlencoded", b"%", None),
        ("multipart/form-data; boundary=b", BOUNDARY + PART, "a" * 64),
        ("Multipart/Form-Data; boundary=b", BOUNDARY + PART, "a" * 64),
        ("multipart/form-data; boundary=b", BOUNDARY + PART[:-20], None),
        ("multipart/form-data; boundary=b", BOUNDARY + b"x\r\n" + PART, None),
        ("text/plain", b"csrf=abc", None),
        ("application/json", b'{"csrf": "abc"}', None),
        ("", b"csrf=abc", None),
    ],
)
def test_where_the_token_is_found(content_type: str, body: bytes, token: str | None) -> None:
    assert find_token(content_type, body) == token


def test_tokens_belong_to_secrets() -> None:
    assert is_form_token(form_token("a"), "a")
    assert not is_form_token(form_token("a"), "b")
    assert not is_form_token("a", "a")
    assert not is_form_token(None, "a")
    assert not is_form_token(form_token("a"), None)
    assert not is_form_token("\ud800", "a")
