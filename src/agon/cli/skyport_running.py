"""A server of Skyport in this process: from its start to the last match, or to Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

from agon.arena.match_record import store_network_match
from agon.cli.console import progress_console
from agon.servers.skyport.server import SkyportServer

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.cli.skyport_report import Teller
    from agon.datastore.store import Store
    from agon.match.result import MatchResult
    from agon.servers.skyport.settings import RoomAddress, SkyportSettings


def run_server(
    settings: SkyportSettings, places: list[RoomAddress], store: Store, reporter: Teller
) -> bool:
    """Serve until all matches are played or it is stopped; whether all were played."""

    async def work() -> bool:
        server = SkyportServer(settings, places, keep=keeper(store), reporter=reporter)
        await server.start()
        reporter.server_starts(server, places)
        is_whole = await ended_or_stopped(server)
        if not is_whole:
            progress_console().print("agon: stopping …")
        await server.close()
        return is_whole

    with asyncio.Runner(loop_factory=best_loop()) as runner:
        return runner.run(work())


def best_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster event loop, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def keeper(store: Store) -> Callable[[MatchResult, int, int], int]:
    return lambda match, begin, end: store_network_match(store, match, "json", begin, end)


async def ended_or_stopped(server: SkyportServer) -> bool:
    """Wait for the end of the last match, or for Ctrl-C or SIGTERM; whether it was the end.

    The second signal ends the process at once.
    """
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, stopped.set)
    tasks = [asyncio.create_task(server.ended()), asyncio.create_task(stopped.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for number in numbers:
            loop.remove_signal_handler(number)
    return not stopped.is_set()
