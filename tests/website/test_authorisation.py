"""Every route, asked in every role: the table in `authorisation.py` is whole and true."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from fastapi.routing import iter_route_contexts

from agon.datastore import NewBot, NewVersion, Store
from agon.match.transcript import format_transcript
from agon.website.app import create_app
from tests.datastore.samples import make_match
from tests.website.authorisation import (
    OUTSIDE,
    ROLES,
    ROWS,
    TRANSCRIPT,
    Row,
    Scene,
    fill,
    open_scene,
)
from tests.website.people import NOON

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI
    from starlette.types import Message

SAFE = ("GET", "HEAD")
FEW_S = 30
STILL_BEING_MADE = 202
MOST_TRIES = 100


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, object]]:
    """The file of a store with something of everything in it, and what it is called."""
    file = tmp_path_factory.mktemp("scene") / "agon.db"
    with Store.open(file) as store:
        return file, fill(store)


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    """An event loop in a thread of its own: the tests' may be taken by a real browser."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def app(
    filled: tuple[Path, Mapping[str, object]], tmp_path_factory: pytest.TempPathFactory
) -> FastAPI:
    """One application for all: each test gives it a site of its own."""
    scene = open_scene(*filled, tmp_path_factory.mktemp("first") / "agon.db")
    scene.close()
    return create_app(scene.site)


@pytest.fixture
def scene(
    app: FastAPI, filled: tuple[Path, Mapping[str, object]], tmp_path: Path
) -> Iterator[Scene]:
    """A site of the test's own, which the application answers for."""
    scene = open_scene(*filled, tmp_path / "agon.db")
    app.state.site = scene.site
    yield scene
    scene.close()


def routes_of(app: FastAPI) -> set[str]:
    """All routes, as the table's keys name them."""
    found = set()
    for route in iter_route_contexts(app.routes):
        assert route.path is not None, route
        if route.methods is None:
            assert route.path in OUTSIDE, f"{route.path}: say in OUTSIDE why it has no rows"
        for method in route.methods or ():
            if method != "HEAD" or "GET" not in (route.methods or ()):
                found.add(f"{method} {route.path}")
    return found


def test_every_route_has_a_row_and_every_row_a_route(app: FastAPI) -> None:
    routes = routes_of(app)
    assert len(routes) > 10
    assert sorted(routes - ROWS.keys()) == [], "add rows to tests/website/authorisation.py"
    assert sorted(ROWS.keys() - routes) == [], "these routes are gone"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", ROWS)
def test_who_may(
    app: FastAPI,
    portal: BlockingPortal,
    scene: Scene,
    route: str,
    role: str,
) -> None:
    for _ in range(MOST_TRIES):  # a table may still be being made, on a busy machine
        status = portal.call(ask, app, make_request(scene, route, ROWS[route], role))
        if status != STILL_BEING_MADE:
            break
    assert status == getattr(ROWS[route], role)


OF_ORGANISERS = [
    key
    for key, row in ROWS.items()
    if key.split()[0] not in SAFE and row.other == 403 and row.organiser < 400
]


@pytest.mark.parametrize("route", OF_ORGANISERS)
def test_what_organisers_do_is_in_the_audit_log(
    app: FastAPI,
    portal: BlockingPortal,
    scene: Scene,
    route: str,
) -> None:
    """Whatever other users may not do, and no more than that."""
    changes = route != "POST /contests/new"  # a form for another game
    request = make_request(scene, route, ROWS[route], "organiser")
    assert portal.call(ask, app, request) == ROWS[route].organiser
    entries = scene.site.store.audit_log.find()
    assert [entry.by for entry in entries] == ["organiser"] * changes


REFUSED = (403, 404)
OF_AUTHORS = [key for key, row in ROWS.items() if row.other in REFUSED and row.owner not in REFUSED]
OF_A_BOT = [key for key in OF_AUTHORS if "{bot_id}" in key or "{check_id}" in key or "/log" in key]


@pytest.mark.parametrize("built_in", [True, False])
@pytest.mark.parametrize("route", [*OF_A_BOT, "POST /contests/{contest_id}/entries"])
def test_a_bot_without_an_owner_is_in_no_users_hands(
    app: FastAPI,
    portal: BlockingPortal,
    scene: Scene,
    route: str,
    built_in: bool,
) -> None:
    """A built-in bot, a network client, or a bot from the command line."""
    ids = add_unowned(scene.site.store, built_in=built_in)
    row = replace(ROWS[route], form={"version": str(ids["version_id"])})
    request = make_request(replace(scene, ids={**scene.ids, **ids}), route, row, "other")
    assert portal.call(ask, app, request) == ROWS[route].other


def add_unowned(store: Store, *, built_in: bool) -> dict[str, object]:
    """A bot of no user, with a check and a match; what it all is called."""
    bot = store.bots.add(NewBot("hive", "stray", NOON, built_in=built_in))
    version = store.versions.add(bot.id, NewVersion(NOON, run="./stray"))
    transcript = format_transcript(TRANSCRIPT).encode()
    match = make_match([version.id, version.id], (2, 0), transcript=transcript, options={})
    return {
        "bot_id": bot.id,
        "number": version.number,
        "version_id": version.id,
        "check_id": store.checks.add(version.id, NOON).id,
        "match_id": store.record_match(match),
    }


@pytest.mark.parametrize("route", [key for key in ROWS if key.split()[0] not in SAFE])
def test_nothing_changes_by_a_form_of_another_site(
    app: FastAPI,
    portal: BlockingPortal,
    scene: Scene,
    route: str,
) -> None:
    """For every route that changes something: a session's cookie alone is not enough."""
    request = make_request(scene, route, ROWS[route], "organiser")
    request = make_request(scene, route, Row(0, 0, 0, 0, path=request.url.path), "organiser")
    for origin in (None, "https://evil.test"):
        request.headers.pop("Origin", None)
        if origin is not None:
            request.headers["Origin"] = origin
        assert portal.call(ask, app, request) == 403


def make_request(scene: Scene, route: str, row: Row, role: str) -> httpx.Request:
    """The request of a user in that role."""
    method, path = route.split()
    secret = scene.secrets.get(role)
    headers = {} if secret is None else {"Cookie": f"agon_session={secret}"}
    form = row.form
    if method not in SAFE:
        headers["Origin"] = "http://agon.test"
    return httpx.Request(
        method,
        "http://agon.test" + (row.path or path).format_map(scene.ids),
        headers=headers,
        data=dict(form) if form is not None else None,
        json=row.json,
        files=row.files,
    )


async def ask(app: FastAPI, request: httpx.Request) -> int:
    """The status of the answer; its body is not waited for: a stream may have no end."""
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.url.path,
        "raw_path": request.url.raw_path,
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("192.0.2.1", 50000),
        "server": ("agon.test", 80),
    }
    body = request.read()
    begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    gone = asyncio.Event()
    sent: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if sent:
            return sent.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start" and not begun.done():
            begun.set_result(message["status"])

    async with asyncio.timeout(FEW_S):
        answering: asyncio.Future[Any] = asyncio.ensure_future(app(scope, receive, send))
        either: set[asyncio.Future[Any]] = {begun, answering}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        gone.set()  # a stream ends when its client is gone
        await answering
    return begun.result()
