"""Every answer protects the visitor who gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.datastore import Store
from agon.website.site import SiteSettings
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = make_world(tmp_path / "agon.db")
    world.add_user("ada")
    yield world
    world.close()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/login", 200),
        ("GET", "/static/agon.css", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/account", 303),
        ("GET", "/api/v1/me", 401),
        ("POST", "/login", 403),
    ],
)
def test_every_answer_has_the_headers(world: World, method: str, path: str, status: int) -> None:
    answer = world.browser().send(method, path)
    assert answer.status_code == status
    check_headers(dict(answer.headers))
    assert "strict-transport-security" not in answer.headers


def check_headers(headers: dict[str, str]) -> None:
    assert set(headers["content-security-policy"].split("; ")) == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


def test_a_crash_has_them_too_and_says_nothing(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    @world.app.get("/crash")
    def crash() -> None:
        raise RuntimeError("the secret of the house")

    answer = world.browser().get("/crash")
    assert answer.status_code == 500
    check_headers(dict(answer.headers))
    assert "secret of the house" not in answer.text
    assert "GET /crash failed" in caplog.text


def test_with_https_it_stays_so(tmp_path: Path) -> None:
    world = make_world(tmp_path / "agon.db", SiteSettings(secure_cookies=True))
    answer = world.browser().get("/")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    world.close()


def test_what_is_of_one_person_is_not_kept(world: World) -> None:
    visitor, ada = world.browser(), world.browser("ada")
    player = world.browser()
    player.client.cookies.set("agon_player", "secret", domain="agon.test")
    assert player.get("/play").headers["cache-control"] == "no-store"
    for path in ("/", "/account", "/nowhere", "/api/v1/me"):
        assert ada.get(path).headers["cache-control"] == "no-store"
    for browser in (visitor, ada):
        assert "no-store" not in browser.get("/static/agon.css").headers["cache-control"]


def test_a_visit_sets_no_cookie(world: World) -> None:
    for path in ("/", "/login", "/nowhere", "/static/agon.css", "/api/v1/me"):
        answer = world.browser().get(path)
        assert "set-cookie" not in answer.headers
        assert answer.headers.get("cache-control") != "no-store"


def test_a_store_without_users_serves(tmp_path: Path) -> None:
    Store.open(tmp_path / "agon.db").close()
    world = make_world(tmp_path / "agon.db")
    assert world.browser().get("/").status_code == 200
    world.close()
