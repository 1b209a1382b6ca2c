"""Servers for load benches, each in a process of its own: MebiPenny's, and a bare one."""

from __future__ import annotations

import asyncio
import multiprocessing
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

PATIENCE = 60  # seconds


def serve_games(port_to: Connection) -> None:
    """The real server, storing its matches in a folder that is removed afterwards."""
    import uvloop

    from agon.arbiter.first_use import use_rules
    from agon.arena.match_record import store_network_match
    from agon.datastore.store import Store
    from agon.games.mebipenny.game import GAME
    from agon.servers.mebipenny.server import MebiPennyServer
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.process import raise_file_limit, settle_memory

    raise_file_limit()
    use_rules(GAME)
    settle_memory()
    settings = MebiPennySettings(turn_ns=3600 * 10**9)

    async def serve(store: Store) -> None:
        server = MebiPennyServer(settings, keep=partial(store_network_match, store))
        await server.start()
        port_to.send(server.port)
        await asyncio.to_thread(port_to.recv)
        await server.close()

    with TemporaryDirectory() as folder, Store.open(Path(folder) / "agon.db") as store:
        uvloop.run(serve(store))


def serve_bare(port_to: Connection) -> None:
    """A route of the same framework that reads a body and answers with a few bytes."""
    import uvloop
    from fastapi import FastAPI, Request
    from fastapi.responses import JSONResponse

    from agon.servers.http_server import Uvicorn
    from agon.servers.open_connections import count_connections
    from agon.servers.process import open_listener, raise_file_limit, settle_memory

    app = FastAPI()

    async def answer(game: str, request: Request) -> JSONResponse:
        await request.json()
        return JSONResponse({"game": game})

    answer.__annotations__ = {"game": str, "request": Request, "return": JSONResponse}
    app.post("/{game}/moves")(answer)

    async def serve() -> None:
        listener = open_listener("127.0.0.1", 0)
        server = Uvicorn(app, count_connections(), PATIENCE)
        running = asyncio.create_task(server.serve([listener]))
        port_to.send(listener.getsockname()[1])
        await asyncio.to_thread(port_to.recv)
        server.should_exit = True
        await running

    raise_file_limit()
    settle_memory()
    uvloop.run(serve())


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    port: int
    process: int

    def resident_bytes(self) -> int:
        """The memory that it has."""
        for line in Path(f"/proc/{self.process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
        raise AgonError(f"process {self.process}: its memory cannot be read")


@contextmanager
def served(serve: Callable[[Connection], None]) -> Iterator[Served]:
    """Run a server in a process of its own for this block."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE):
            raise AgonError("the server did not start")
        yield Served(ours.recv(), process.pid or 0)
    finally:
        ours.send(None)
        process.join(PATIENCE)
        process.kill()
        process.join()
        process.close()
        ours.close()
