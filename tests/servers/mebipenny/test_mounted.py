"""The server as a part of another application: it stands where it is mounted."""

from __future__ import annotations

import asyncio

import httpx
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from agon.servers.mebipenny.app import MebiPennyApp
from tests.servers.mebipenny.quiet_lobby import QuietLobby


def site(quiet: QuietLobby) -> httpx.AsyncClient:
    """A client of an application that has the server somewhere inside."""

    async def home(request: object) -> PlainTextResponse:
        return PlainTextResponse("home")

    routes = [Mount("/games/mebipenny", MebiPennyApp(quiet.lobby)), Route("/", home)]
    transport = httpx.ASGITransport(Starlette(routes=routes))
    return httpx.AsyncClient(transport=transport, base_url="http://site.test")


async def visit() -> None:
    quiet = QuietLobby()
    async with site(quiet) as client:
        answer = await client.post("/games/mebipenny/", json={"rows": 3, "cols": 3})
        path = answer.headers["location"]
        mount, _, ident = path.rpartition("/")
        assert mount == "/games/mebipenny"
        assert (await client.get(path)).json()["rows"] == 3
        listed = (await client.get("/games/mebipenny/")).json()
        assert listed == [{"id": ident, "state": "initiating"}]
        first, second = await asyncio.gather(
            *(client.get("/games/mebipenny/match") for _ in range(2))
        )
        assert first.headers["location"] == second.headers["location"]
        assert first.headers["location"].startswith("/games/mebipenny/")
        assert (await client.get("/games/mebipenny/a/b")).status_code == 404
        assert (await client.put(path)).headers["allow"] == "GET, HEAD, OPTIONS"
        described = (await client.get("/games/mebipenny/openapi.json")).json()
        assert described["servers"] == [{"url": "/games/mebipenny"}]
        assert (await client.get("/")).text == "home"


def test_paths_begin_where_the_server_is_mounted() -> None:
    asyncio.run(visit())
