"""`agon skyport serve`: the competition's server; clients dial in and play each other."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import MOST_SEED, Data, JsonFlag, check_amount
from agon.cli.console import compile_notice, progress_console
from agon.cli.duration import parse_duration
from agon.cli.game_server import (
    LOOPBACK,
    MOST_PORT,
    FillAfter,
    FillBot,
    Host,
    parse_fill,
    parse_port,
    run_server,
)
from agon.cli.stopping import INTERRUPTED
from agon.errors import SettingError
from agon.servers.registry import SERVERS

if TYPE_CHECKING:
    from agon.games.skyport.game import SkyportOptions
    from agon.servers.skyport.settings import RoomAddress, SkyportSettings

MOST_MATCHES = 10**6
MOST_CONNECTIONS = 10**5
LARGEST_MAP = 1 << 20
SPARE_FILES = 64  # that a server has open besides its connections

skyport = typer.Typer(
    name="skyport",
    help="Skyport over TCP: serve matches to network clients.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Port = Annotated[
    int, typer.Option(metavar="N", help="The port of the first room; 0: any that is free.")
]
MapName = Annotated[
    str | None,
    typer.Option(
        "--map", metavar="NAME|FILE", help="A built-in map, or a file; default: by --players."
    ),
]
Players = Annotated[
    int | None,
    typer.Option(metavar="N", help="Players of a match; default: as many as the map has."),
]
Turns = Annotated[
    int,
    typer.Option(metavar="T", help="Turns for each player: a match has as many times the players."),
]
Think = Annotated[str, typer.Option(metavar="T", help="Time for a turn, such as 3s or 200ms.")]
StartDelay = Annotated[
    str, typer.Option(metavar="T", help="Time before turn 1, unless all loadouts are there.")
]
Handshake = Annotated[str, typer.Option(metavar="T", help="Time for a client's handshake.")]
MatchTime = Annotated[
    str | None,
    typer.Option(metavar="T", help="End a match soon after this time, though turns are left."),
]
Matches = Annotated[
    int | None, typer.Option(metavar="N", help="Stop after N matches; default: at Ctrl-C.")
]
RoomNames = Annotated[
    list[str] | None,
    typer.Option(
        "--room",
        metavar="NAME[:PORT]",
        help="A room with a port and a waiting list of its own; without PORT the next one.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="K", help="Match n of a room has the seed K + n; default: random."),
]
Connections = Annotated[
    int | None,
    typer.Option(metavar="N", help="Maximum number of connections to a room; default: 2000."),
]
Strangers = Annotated[
    int, typer.Option(metavar="N", help="Maximum number of connections without a handshake.")
]


@skyport.callback()
def skyport_group() -> None:
    """Skyport over TCP."""


@skyport.command()
def serve(
    host: Host = LOOPBACK,
    port: Port = SERVERS["skyport"].port,
    map_name: MapName = None,
    players: Players = None,
    turns: Turns = 100,
    think: Think = "3s",
    start_delay: StartDelay = "10s",
    handshake: Handshake = "10s",
    match_time: MatchTime = None,
    matches: Matches = None,
    fill: FillBot = None,
    fill_after: FillAfter = None,
    room: RoomNames = None,
    seed: Seed = None,
    connections: Connections = None,
    strangers: Strangers = 200,
    data: Data = None,
    as_json: JsonFlag = False,
) -> None:
    """Let clients connect over TCP and play each other, as in the competition.

    Seats fill in the order of arrival; a match that is full begins, and the next one fills. Every
    match is stored. With --fill a client that is alone plays against built-in bots. With --json
    each event is a line of JSON.

    \b
    Examples:
      agon skyport serve
      agon skyport serve --players 4 --think 1s --host 0.0.0.0
      agon skyport serve --map island.txt --matches 10
      agon skyport serve --fill greedy --fill-after 10s
      agon skyport serve --room practice --room final:6000
    """
    from agon.arena.match_record import store_network_match
    from agon.cli.skyport_report import JsonReporter, TextReporter
    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.games.skyport.game import GAME
    from agon.servers.skyport.server import SkyportServer, warm_up

    check_amounts(port, matches, seed, connections, strangers)
    times = [parse_duration(text) for text in (think, start_delay, handshake)]
    settings = make_settings(chosen_map(map_name, turns), players, matches, seed, times)
    match_ns = None if match_time is None else parse_duration(match_time)
    settings = replace(settings, match_ns=match_ns, fill=parse_fill(fill, fill_after))
    places = parse_rooms(room or ["main"], host, port)
    settings = with_limits(settings, connections, strangers, len(places))
    with Store.open(find_data(data, os.environ)) as store:
        with compile_notice(GAME.title):
            warm_up(settings)
        reporter = JsonReporter() if as_json else TextReporter(data)
        keep = partial(store_network_match, store)
        server = SkyportServer(settings, places, keep=keep, reporter=reporter)
        end = run_server(server, lambda: reporter.server_starts(server, places), tell_stopping)
    if end.is_stopped:
        raise typer.Exit(INTERRUPTED)


def tell_stopping() -> None:
    progress_console().print("agon: stopping …")


def check_amounts(
    port: int, matches: int | None, seed: int | None, connections: int | None, strangers: int
) -> None:
    check_amount("--port", port, 0, MOST_PORT)
    check_amount("--strangers", strangers, 1, MOST_CONNECTIONS)
    if connections is not None:
        check_amount("--connections", connections, 2, MOST_CONNECTIONS)
    if matches is not None:
        check_amount("--matches", matches, 1, MOST_MATCHES)
    if seed is not None:
        check_amount("--seed", seed, 0, MOST_SEED)


def chosen_map(name: str | None, turns: int) -> SkyportOptions:
    """The options with the map of that name, or of that file."""
    from agon.games.skyport.game import MAPS, SkyportOptions

    if name is None or name in MAPS:
        return SkyportOptions(map=name or MAPS[0], turns=turns)
    path = Path(name)
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_MAP + 1).decode("utf-8")
    except OSError as error:
        known = ", ".join(MAPS[1:])
        raise SettingError(
            f"--map {name!r}: expected {known}, or a file: {error.strerror}"
        ) from None
    except UnicodeDecodeError as error:
        raise SettingError(f"--map {name!r}: byte {error.start} is not UTF-8") from None
    if not text.strip():
        raise SettingError(f"--map {name!r}: the file is empty")
    try:
        return SkyportOptions(map_text=text, turns=turns)
    except SettingError as error:
        raise SettingError(f"--map {name!r}: {error}") from None


def make_settings(
    options: SkyportOptions,
    players: int | None,
    matches: int | None,
    seed: int | None,
    times: list[int],
) -> SkyportSettings:
    """What the command line says of the matches; `times` are think, start delay, handshake."""
    import secrets

    from agon.games.skyport.game import GAME
    from agon.servers.skyport.settings import SkyportSettings

    seats = options.find_map(None if players is None else GAME.check_seats(players)).seats
    chosen = secrets.randbelow(MOST_SEED) if seed is None else seed
    return SkyportSettings(options, seats, chosen, matches, *times)


def with_limits(
    settings: SkyportSettings, connections: int | None, strangers: int, rooms: int
) -> SkyportSettings:
    """The settings with these limits; the process may open as many files as that needs."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = hard == resource.RLIM_INFINITY
    possible = MOST_CONNECTIONS if unlimited else (hard - SPARE_FILES) // rooms
    chosen = min(settings.connections, possible) if connections is None else connections
    if chosen > possible:
        raise SettingError(
            f"--connections {chosen}: this system allows {hard} open files, {possible} for a room"
        )
    needed = chosen * rooms + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return replace(settings, connections=chosen, strangers=strangers)


def parse_rooms(texts: list[str], host: str, first: int) -> list[RoomAddress]:
    """The rooms: each at its own port, or at the one after the last one's."""
    from agon.servers.skyport.settings import RoomAddress

    places: list[RoomAddress] = []
    port = first
    for text in texts:
        name, colon, number = text.partition(":")
        if not name.isprintable() or not name or len(name) > 40:
            raise SettingError(f"--room {text[:60]!r}: expected NAME or NAME:PORT")
        if colon:
            port = parse_port("--room", text, number)
        check_amount(f"--room {name!r}, port", port, 0, MOST_PORT)
        places.append(RoomAddress(name, port, host))
        port += port > 0
    return places
