"""Every answer protects the visitor who gets it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import anyio
import pytest

from agon.datastore import Store, new_secret
from agon.website.http.body_limit import BodyLimitMiddleware
from agon.website.http.head_requests import HeadMiddleware
from agon.website.http.host_names import HostMiddleware
from agon.website.http.same_origin import SameOriginMiddleware
from agon.website.http.security import ProtectionMiddleware, forget, protect
from agon.website.site import SiteSettings
from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    with closing(make_world(tmp_path / "agon.db", SiteSettings(secure_cookies=True))) as world:
        answer = world.browser().get("/")
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_what_is_of_one_person_is_not_kept(world: World) -> None:
    visitor, ada = world.browser(), world.browser("ada")
    player = world.browser()
    player.client.cookies.set("agon_player", "secret", domain="agon.test")
    assert player.get("/play").headers["cache-control"] == "no-store"
    for path in ("/", "/account", "/nowhere", "/api/v1/me"):
        assert ada.get(path).headers["cache-control"] == "no-store"
    for browser in (visitor, ada):
        assert "no-store" not in browser.get("/static/agon.css").headers["cache-control"]


def test_an_answer_to_a_token_is_not_kept(world: World) -> None:
    secret, ada = new_secret(), world.store.users.find("ada")
    assert ada
    world.store.tokens.add(ada.id, "laptop", secret, world.clock())
    shown = {"Authorization": f"Bearer {secret}"}
    assert world.browser().get("/api/v1/me", headers=shown).headers["cache-control"] == "no-store"
    assert "cache-control" not in world.browser().get("/api/v1/games").headers


@pytest.mark.parametrize(
    ("path", "status", "is_forgotten"),
    [
        ("/contests/1/published", 303, True),
        ("/api/v1/contests/1", 200, True),
        ("/contests/1", 399, True),
        ("/contests/1", 400, False),
        ("/contests/1", 499, False),
        ("/contests/1", 500, True),
        ("/login", 303, False),
    ],
)
def test_a_changed_contest_is_looked_at_anew(
    world: World, path: str, status: int, is_forgotten: bool
) -> None:
    visibility = world.site.visibility
    forget(world.site, path, status)
    assert visibility.changes == is_forgotten


def test_half_a_change_is_one(world: World) -> None:
    @world.app.api_route("/contests/of/ours", methods=["GET", "POST"])
    def crash() -> None:
        raise RuntimeError("in the midst of it")

    browser = world.browser("ada")
    assert browser.get("/contests/of/ours").status_code == 500
    assert world.site.visibility.changes == 0
    assert browser.post("/contests/of/ours").status_code == 500
    assert world.site.visibility.changes == 1


@pytest.mark.parametrize(("host", "answers"), [("localhost", "app"), ("evil.test", "pages")])
def test_what_is_beside_the_pages_has_their_headers(
    tmp_path: Path, host: str, answers: str
) -> None:
    with closing(
        make_world(tmp_path / "agon.db", SiteSettings(host_names=frozenset({"localhost"})))
    ) as world:
        sent: list[Message] = []

        def answering(name: str) -> ASGIApp:
            async def answer(scope: Scope, receive: Receive, send: Send) -> None:
                headers = [(b"x-by", name.encode()), (b"x-frame-options", b"SAMEORIGIN")]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": b"x"})

            return answer

        async def receive() -> Message:
            raise AssertionError

        async def send(message: Message) -> None:
            sent.append(message)

        app = protect(answering("app"), answering("pages"), world.site)
        anyio.run(app, {"type": "http", "headers": [(b"host", host.encode())]}, receive, send)
        start, end = sent
        headers = dict(start["headers"])
        assert headers[b"x-by"] == answers.encode()
        assert (b"content-security-policy" in headers) is (answers == "app")
        assert headers[b"x-frame-options"] == b"SAMEORIGIN", "what the application says stays"
        assert end["body"] == b"x"


@pytest.mark.parametrize(
    "middleware",
    [
        BodyLimitMiddleware,
        HeadMiddleware,
        HostMiddleware,
        ProtectionMiddleware,
        SameOriginMiddleware,
    ],
)
@pytest.mark.parametrize("kind", ["lifespan", "websocket"])
def test_what_is_not_http_goes_through(middleware: Callable[[ASGIApp], ASGIApp], kind: str) -> None:
    passed: list[object] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.extend((scope, receive, send))

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        raise AssertionError

    asked: Scope = {"type": kind}
    anyio.run(middleware(app), asked, receive, send)
    assert passed == [asked, receive, send]


def test_a_visit_sets_no_cookie(world: World) -> None:
    for path in ("/", "/login", "/nowhere", "/static/agon.css", "/api/v1/me"):
        answer = world.browser().get(path)
        assert "set-cookie" not in answer.headers
        assert answer.headers.get("cache-control") != "no-store"


def test_a_store_without_users_serves(tmp_path: Path) -> None:
    Store.open(tmp_path / "agon.db").close()
    with closing(make_world(tmp_path / "agon.db")) as world:
        assert world.browser().get("/").status_code == 200
