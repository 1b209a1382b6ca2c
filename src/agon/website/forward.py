"""Requests for what another server on the same datastore has in its memory are passed on to it.

A match with people in it lives on the server on which it was opened, a live board on the server
that shows it, a contest on the one that plays it; clients of a game's own HTTP server meet on the
server that joined first. So a proxy in front may send every request to any of them. The servers
know each other by the datastore, and prove it with a secret that stands there.
"""

from __future__ import annotations

import asyncio
import logging
import re
from hmac import compare_digest
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

import httpx
from starlette.responses import PlainTextResponse

from agon.arena.people.plays import server_in_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

    from agon.datastore.servers import Server
    from agon.website.site import Site

LOG = logging.getLogger("agon.website")
PLAY = re.compile(r"(?:/api/v1/plays|/play)/([^/]+)")
LIVE = re.compile(r"/live/[a-z_]+-([^/]+)")
CONTEST = re.compile(r"(?:/api/v1)?/contests/([0-9]{1,18})(?![^/])")
SECRET, CLIENT, SCHEME = b"x-agon-secret", b"x-agon-client", b"x-agon-scheme"
OWN = {SECRET, CLIENT, SCHEME}
NOT_PASSED_ON = {b"connection", b"keep-alive", b"te", b"trailer", b"transfer-encoding", b"upgrade"}
CONNECT_SECONDS = 3.0
GONE = "This part of the site is on a server that does not answer. Try again in half a minute."


class Forward:
    """The application of this server, or what another one answers."""

    def __init__(
        self,
        app: ASGIApp,
        site: Site,
        servers: Callable[[], Sequence[Server]],
        paths: Collection[str],
    ) -> None:
        """`servers`: all, the oldest first. `paths` are those of the games' own servers."""
        self._app = app
        self._site = site
        self._store = site.store
        self._servers = servers
        self._paths = paths
        self._client = httpx.AsyncClient(timeout=httpx.Timeout(None, connect=CONNECT_SECONDS))

    async def close(self) -> None:
        """No request is under way any more."""
        await self._client.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        servers = self._servers()
        if scope["type"] != "http" or len(servers) < 2:
            await self._app(scope, receive, send)
            return
        scope, is_passed_on = self._unwrap(scope, servers)
        server = None if is_passed_on else await self._find(scope["path"], servers)
        if server is None:
            await self._app(scope, receive, send)
        else:
            await self._pass_on(server, scope, receive, send)

    def _unwrap(self, scope: Scope, servers: Sequence[Server]) -> tuple[Scope, bool]:
        """The request as the client sent it, and whether another server has passed it on."""
        headers = dict(scope["headers"])
        if not OWN & headers.keys():
            return scope, False
        own = next((one for one in servers if one.id == self._store.servers.own_id), None)
        given = headers.get(SECRET, b"")
        is_passed_on = own is not None and compare_digest(given, own.secret.encode())
        scope = {**scope, "headers": [one for one in scope["headers"] if one[0] not in OWN]}
        if is_passed_on:
            scope["client"] = (headers.get(CLIENT, b"").decode(), 0)
            scope["scheme"] = headers.get(SCHEME, b"http").decode()
        return scope, is_passed_on

    async def _find(self, path: str, servers: Sequence[Server]) -> Server | None:
        """The server that has what is asked for; None: this one, or none."""
        if any(path == root or path.startswith(f"{root}/") for root in self._paths):
            wanted: int | None = servers[0].id
        else:
            wanted = await asyncio.to_thread(self._find_owner, path)
        others = (one for one in servers if one.id != self._store.servers.own_id)
        return next((one for one in others if one.id == wanted), None)

    def _find_owner(self, path: str) -> int | None:
        if found := PLAY.match(path):
            if self._site.plays.find(found[1]) is not None:
                return None
            return self._store.journal.server_of(found[1]) or server_in_key(found[1])
        if found := LIVE.match(path):
            is_here = self._site.live_matches.find(found[0].removeprefix("/live/")) is not None
            return None if is_here else server_in_key(found[1])
        if found := CONTEST.match(path):
            return self._store.contests.server_of(int(found[1]))
        return None

    async def _pass_on(self, server: Server, scope: Scope, receive: Receive, send: Send) -> None:
        path = cast("bytes", scope.get("raw_path") or scope["path"].encode())
        if query := scope["query_string"]:
            path += b"?" + query
        address = httpx.URL(server.address).copy_with(raw_path=path)
        headers = [one for one in scope["headers"] if one[0] not in NOT_PASSED_ON]
        client = scope.get("client") or ("", 0)
        headers += [
            (SECRET, server.secret.encode()),
            (CLIENT, client[0].encode()),
            (SCHEME, scope["scheme"].encode()),
        ]
        gone = asyncio.Event()
        request = self._client.build_request(
            scope["method"], address, headers=headers, content=_body(receive, gone)
        )
        try:
            answer = await self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            LOG.warning("server %s does not answer: %s", server.name, error or type(error).__name__)
            unavailable = HTTPStatus.SERVICE_UNAVAILABLE
            response = PlainTextResponse(f"{GONE}\n", unavailable, {"Retry-After": "30"})
            await response(scope, receive, send)
            return
        try:
            await _send_on(answer, send, receive, gone)
        finally:
            await answer.aclose()


async def _body(receive: Receive, gone: asyncio.Event) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            gone.set()
            return
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _send_on(
    answer: httpx.Response, send: Send, receive: Receive, gone: asyncio.Event
) -> None:
    """Send the answer as it comes, until the client goes."""

    async def copy() -> None:
        headers = [one for one in answer.headers.raw if one[0].lower() not in NOT_PASSED_ON]
        await send(
            {"type": "http.response.start", "status": answer.status_code, "headers": headers}
        )
        async for part in answer.aiter_raw():
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def watch() -> None:
        while not gone.is_set() and (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.create_task(copy()), asyncio.create_task(watch())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
