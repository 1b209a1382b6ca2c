"""What the commands share that run games' own servers: their options, and a server's life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from agon.cli.duration import parse_duration
from agon.cli.stopping import stop_event
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from agon.servers.game_server import GameServer
    from agon.servers.practice_bots import Fill

T = TypeVar("T")
LOOPBACK = "127.0.0.1"
MOST_PORT = 65535

Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0: on all interfaces.")
]
FillBot = Annotated[
    str | None,
    typer.Option(
        "--fill",
        metavar="BOT",
        help="Let this built-in bot take free seats when a client has waited for --fill-after.",
    ),
]
FillAfter = Annotated[
    str | None,
    typer.Option(metavar="T", help="How long a client waits for others first; default: 10s."),
]


def parse_fill(bot: str | None, after: str | None) -> Fill | None:
    """Which bot takes free seats, and when; None: seats wait for clients."""
    from agon.servers.practice_bots import Fill

    if bot is None:
        if after is not None:
            raise SettingError(f"--fill-after {after[:40]!r}: expected --fill BOT beside it")
        return None
    return Fill(bot) if after is None else Fill(bot, parse_duration(after))


def parse_port(option: str, given: str, number: str) -> int:
    """The port in what was given for that option."""
    if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) <= MOST_PORT):
        raise SettingError(f"{option} {given[:60]!r}: expected a port up to {MOST_PORT}")
    return int(number)


def format_url(host: str, port: int) -> str:
    """An address over HTTP, without the last slash.

    >>> format_url("::1", 80)
    'http://[::1]:80'
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class ServerEnd(NamedTuple):
    """How a server ended."""

    is_stopped: bool
    """Whether a signal ended it, and not its last match."""
    given_up: int
    """Matches that were under way."""


def run_server(
    server: GameServer, welcome: Callable[[], None], on_stop: Callable[[], None] = lambda: None
) -> ServerEnd:
    """Serve until all matches are played or a signal comes; a second one ends the process."""
    import asyncio

    async def work() -> ServerEnd:
        with stop_event() as stopped:
            await server.start()
            welcome()
            tasks = [asyncio.create_task(server.ended()), asyncio.create_task(stopped.wait())]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            if stopped.is_set():
                on_stop()
            return ServerEnd(stopped.is_set(), await server.close())

    return run_loop(work())


def run_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run this in the faster event loop, where there is one."""
    import asyncio

    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
