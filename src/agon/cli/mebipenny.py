"""`agon mebipenny serve`: MebiPenny over HTTP, for bots that were written for the first server."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import MOST_SEED, Data, check_amount
from agon.cli.console import compile_notice
from agon.cli.duration import parse_duration
from agon.cli.game_server import (
    LOOPBACK,
    MOST_PORT,
    FillAfter,
    FillBot,
    Host,
    format_url,
    parse_fill,
    run_server,
)
from agon.cli.printable import printable
from agon.servers.registry import SERVERS

if TYPE_CHECKING:
    from agon.match.result import MatchResult
    from agon.servers.match_store import KeptMatch
    from agon.servers.mebipenny.lobby import Lobby

mebipenny = typer.Typer(
    name="mebipenny",
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="MebiPenny over HTTP: serve games to network clients.",
)

Port = Annotated[int, typer.Option(metavar="N", help="The port; 0 is any that is free.")]
TurnTime = Annotated[
    str, typer.Option(metavar="T", help="How long a player may think, such as 30s or 200ms.")
]
HeldTime = Annotated[
    str | None,
    typer.Option(
        metavar="T", help="Answer held requests with 408 after this time; else they have no limit."
    ),
]
MatchStatus = Annotated[
    int, typer.Option(metavar="302|201", help="How GET /match answers; the first server sent 201.")
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        metavar="K", help="The seed of boards and draws; without it they differ every time."
    ),
]


@mebipenny.callback()
def group() -> None:
    """Keeps `serve` a command of its own, for there may be others one day."""


@mebipenny.command()
def serve(
    host: Host = LOOPBACK,
    port: Port = SERVERS["mebipenny"].port,
    turn_time: TurnTime = "30s",
    held_time: HeldTime = None,
    match_status: MatchStatus = 302,
    fill: FillBot = None,
    fill_after: FillAfter = None,
    seed: SeedOption = None,
    data: Data = None,
) -> None:
    """Serve games over HTTP until Ctrl-C; every game that ends is stored like any match.

    Players make a game with POST / or are matched with GET /match, join it with POST /ID/players
    and move with POST /ID/moves. GET /match?bot=greedy is a match against a bot, built-in or of
    the datastore; with --fill a client that is alone gets one. /openapi.json describes it all.

    \b
    Examples:
      agon mebipenny serve
      agon mebipenny serve --host 0.0.0.0 --turn-time 5s --data contest
      agon mebipenny serve --fill greedy --fill-after 10s
      curl -i -d '{"rows": 15, "cols": 15}' http://127.0.0.1:9292/
    """
    from agon.arbiter.first_use import use_bots, use_rules
    from agon.arena.bot_builds import BotBuilds
    from agon.arena.match_record import store_network_match
    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.games.mebipenny.game import GAME
    from agon.servers.mebipenny.server import MebiPennyServer
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.practice_bots import stored_bots
    from agon.servers.process import raise_file_limit, settle_memory

    check_amount("--port", port, 0, MOST_PORT)
    if seed is not None:
        check_amount("--seed", seed, 0, MOST_SEED)
    held_ns = None if held_time is None else parse_duration(held_time)
    settings = MebiPennySettings(
        parse_duration(turn_time), held_ns, match_status, parse_fill(fill, fill_after)
    )
    with Store.open(find_data(data, os.environ)) as store:
        with compile_notice("MebiPenny"):
            use_rules(GAME)
            if settings.fill is not None:
                use_bots(GAME, GAME.options(), [settings.fill.bot])
        settle_memory()
        raise_file_limit()
        with closing(BotBuilds(store)) as builds:
            server = MebiPennyServer(
                settings,
                host,
                port,
                keep=partial(store_network_match, store),
                on_kept=tell_kept,
                chance=None if seed is None else Random(seed),  # noqa: S311  the same again
                stored=stored_bots(store, GAME, builds),
            )
            end = run_server(server, lambda: print_welcome(host, server.port, server.lobby))
    print_farewell(end.given_up)


def print_welcome(host: str, port: int, lobby: Lobby) -> None:
    """Say where the server is, and how to talk to it."""
    from agon.games.mebipenny.game import GAME

    usual = GAME.usual_opponent
    others = [name for name in lobby.bots if name != usual]
    address = format_url(host, port)
    print(f"MebiPenny at {address}/   (Ctrl-C stops it)")
    print(f'  a new game:    curl -i -d \'{{"rows": 15, "cols": 15}}\' {address}/')
    print(f"  an opponent:   curl -i {address}/match")
    print(f"  a bot:         curl -i '{address}/match?bot={usual}'   (or {', '.join(others)})")
    fill = lobby.settings.fill
    if fill is not None:
        print(f"  who waits {fill.after_ns / 10**9:g} s for an opponent plays {fill.bot}")
    sys.stdout.flush()


def print_farewell(given_up: int) -> None:
    """Say that the server has stopped, and how many games it gave up."""
    games = "one game under way was" if given_up == 1 else f"{given_up} games under way were"
    print(f"ended; {games} given up" if given_up else "ended", flush=True)


def tell_kept(kept: KeptMatch) -> None:
    """A line about a match that is over."""
    print(result_line(kept), flush=True)


def result_line(kept: KeptMatch) -> str:
    """Who played, how it ended, and where it is stored."""
    where = f"match {kept.match_id}" if kept.match_id is not None else "not stored"
    line = f"{where}: {told_players(kept.match)} ({kept.match.outcome.reason})"
    return line if kept.trouble is None else f"{line}: {kept.trouble}"


def told_players(match: MatchResult) -> str:
    """The players in turn order with their scores."""
    pairs = zip(match.transcript.players, match.outcome.scores, strict=True)
    return ", ".join(
        f"{printable(str(player['name'])) or 'nameless'}"
        f"{' (built-in)' if player.get('kind') == 'built-in' else ''}"
        f" {'disqualified' if score < 0 else score}"
        for player, score in pairs
    )
