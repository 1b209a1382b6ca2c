"""`agon serve`: the whole arena on this machine, website, ladder and the games' servers."""

from __future__ import annotations

import os
import re
from contextlib import closing
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.allow import Allow, allow_installations
from agon.cli.arguments import (
    Cluster,
    Data,
    Oversubscribe,
    TurnTime,
    UnsafeHost,
    check_amount,
    parse_jobs,
)
from agon.cli.duration import parse_duration
from agon.cli.game_server import (
    LOOPBACK,
    MOST_PORT,
    FillAfter,
    FillBot,
    Host,
    parse_fill,
    parse_port,
)
from agon.cli.scope import enter_scope
from agon.errors import SettingError
from agon.servers.registry import SERVERS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Network, IPv6Network

    from agon.arena.settings import WorkerSettings
    from agon.website.server import Addresses

LONGEST = 600 * 10**9
MOST_STREAMS = 4000
ANSWER_SECONDS = 10
OWN_ADDRESS = re.compile(r"https?://[^/?#\s]+")
USUAL_PORTS = ", ".join(f"{server.game}={server.port}" for server in SERVERS.values())

Port = Annotated[int, typer.Option(metavar="N", help="The website's port; 0: any that is free.")]
GamePorts = Annotated[
    list[str] | None,
    typer.Option(
        "--game-port",
        metavar="GAME=N",
        help="The port of a game's own server, 0: any that is free; repeat it for several. "
        f"Default: {USUAL_PORTS}. The website serves HTTP clients at /GAME, too.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Challenges and bot checks in parallel; 0: one for each core, on a cluster for each "
        "of its cores.",
    ),
]
LadderJobs = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Matches of the ladder in parallel; 0: one for each core but one, which several "
        "servers on a cluster share.",
    ),
]
Pace = Annotated[
    str,
    typer.Option(
        metavar="T",
        help="Time from one turn to the next of the ladder's matches that are shown, such as 0.5s.",
    ),
]
Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="A game of the ladder; repeat it for several; default: all."
    ),
]
NoLadder = Annotated[
    bool, typer.Option("--no-ladder", metavar="", help="Play only matches that were requested.")
]
ClosedRegistration = Annotated[
    bool,
    typer.Option("--closed-registration", metavar="", help="Only organisers create accounts."),
]
SecureCookies = Annotated[
    bool,
    typer.Option(
        "--secure-cookies", metavar="", help="The site is reached only over HTTPS, through a proxy."
    ),
]
Proxy = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="The proxy in front, whose X-Forwarded-For is trusted.",
        show_default=False,
    ),
]
OwnAddress = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Where other servers on the same PostgreSQL database reach this one's pages; default: "
        "http:// with the host and port above.",
        show_default=False,
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        "--host-name",
        metavar="NAME",
        help="A name by which the site is reached, such as agon.example.org; repeat it for "
        "several. This machine's own name and addresses need no option.",
    ),
]
Streams = Annotated[
    int,
    typer.Option(metavar="N", help="Live streams that one address may have open."),
]
MetricsFrom = Annotated[
    list[str] | None,
    typer.Option(
        "--metrics-from",
        metavar="NETWORK",
        help="Who may read /metrics besides this machine itself, such as 10.0.0.0/8; repeat it "
        "for several.",
    ),
]
Drain = Annotated[
    str,
    typer.Option(
        metavar="T",
        help="How long SIGTERM leaves matches and checks under way to end, such as 60s; no others "
        "begin. A second signal stops at once.",
    ),
]
DownloadsFolder = Annotated[
    Path | None,
    typer.Option(
        "--downloads",
        metavar="FOLDER",
        help="Offer contestants the wheel and the source of agon that `make wheel` wrote there.",
    ),
]
Title = Annotated[str, typer.Option(metavar="TEXT", help="The name of the site.")]


def serve(
    host: Host = LOOPBACK,
    port: Port = 8000,
    game_port: GamePorts = None,
    jobs: Jobs = 1,
    ladder_jobs: LadderJobs = 0,
    oversubscribe: Oversubscribe = False,
    time: TurnTime = "200ms",
    pace: Pace = "0.5s",
    game: Games = None,
    no_ladder: NoLadder = False,
    closed_registration: ClosedRegistration = False,
    secure_cookies: SecureCookies = False,
    proxy: Proxy = "",
    own_address: OwnAddress = "",
    host_name: HostNames = None,
    streams: Streams = 150,
    title: Title = "Agon",
    drain: Drain = "0s",
    metrics_from: MetricsFrom = None,
    downloads: DownloadsFolder = None,
    fill: FillBot = None,
    fill_after: FillAfter = None,
    unsafe_host: UnsafeHost = False,
    allow: Allow = None,
    data: Data = None,
    cluster: Cluster = None,
) -> None:
    """Run the whole arena until Ctrl-C: website, ladder and the games' own servers.

    All data is in the datastore: after a restart or a crash the site continues where it was. Users'
    bots are built and played in the sandbox; if a layer is missing on this machine, uploads are
    closed, unless you trust all users and say [bold]--unsafe-host[/].

    \b
    Examples:
      agon serve
      agon serve --host 0.0.0.0 --data contest --closed-registration
      agon serve --port 8080 --secure-cookies --proxy 127.0.0.1 --host-name agon.example.org
      agon serve --fill greedy --fill-after 10s
    """
    from agon.arena.settings import spare_cores
    from agon.cli.serving import only_server, run_site
    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.servers.process import open_listener
    from agon.servers.registry import check_fill
    from agon.website.downloads import find_downloads
    from agon.website.http.host_names import find_names
    from agon.website.server import Addresses
    from agon.website.site import SiteSettings

    place = Addresses(host, port, parse_game_ports(game_port or ()), proxy, own_address)
    check_place(place)
    ladder = choose_ladder(game, no_ladder)
    times = parse_duration(time), parse_duration(pace)
    side_by_side = parse_jobs(jobs, oversubscribe, cluster)
    if cluster is None:
        ladder_jobs = ladder_jobs or spare_cores()
    of_ladder = parse_jobs(ladder_jobs, oversubscribe, cluster, "--ladder-jobs")
    workers = worker_settings(side_by_side, of_ladder, *times, ladder, unsafe_host)
    workers = replace(workers, cluster=cluster or "")
    check_amount("--streams", streams, 1, MOST_STREAMS)
    drain_ns = parse_duration(drain)
    check_amount("--drain in ns", drain_ns, 0, LONGEST)
    chosen_fill = parse_fill(fill, fill_after)
    if chosen_fill is not None:
        check_fill(chosen_fill)
    settings = SiteSettings(
        title,
        open_registration=not closed_registration,
        secure_cookies=secure_cookies,
        streams_each=streams,
        downloads=find_downloads(downloads) if downloads else None,
        host_names=find_names(host, host_name or ()),
        fill=chosen_fill,
        drain_ns=drain_ns,
        metrics_from=tuple(map(parse_network, metrics_from or ())),
    )
    allow_installations(allow)
    if not unsafe_host:
        enter_scope()
    where = find_data(data, os.environ)
    with (
        closing(open_listener(host, port)) as listener,
        Store.open(where, answer_seconds=ANSWER_SECONDS) as store,
        only_server(where),
    ):
        run_site(store, place, listener, settings, workers, data)


def parse_game_ports(pairs: Iterable[str]) -> dict[str, int]:
    """The ports of the games' servers that were chosen, by game."""
    ports: dict[str, int] = {}
    for pair in pairs:
        game, equals, number = pair.partition("=")
        if game not in SERVERS or not equals:
            known = " or ".join(f"{name}=N" for name in SERVERS)
            raise SettingError(f"--game-port {pair[:60]!r}: expected {known}")
        if game in ports:
            raise SettingError(f"--game-port {pair[:60]!r}: {game} is given twice")
        ports[game] = parse_port("--game-port", pair, number)
    return ports


def parse_network(text: str) -> IPv4Network | IPv6Network:
    """A network, or a single address, in what was given for `--metrics-from`."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise SettingError(
            f"--metrics-from {text[:60]!r}: expected a network such as 10.0.0.0/8"
        ) from None


def check_place(place: Addresses) -> None:
    """Refuse ports that there cannot be, and the address of a proxy that is none."""
    check_amount("--port", place.port, 0, MOST_PORT)
    try:
        ip_network(place.proxy or LOOPBACK)
    except ValueError:
        raise SettingError(f"--proxy {place.proxy[:60]!r}: expected an IP address") from None
    if place.own and not OWN_ADDRESS.fullmatch(place.own):
        raise SettingError(
            f"--own-address {place.own[:80]!r}: expected http://HOST:PORT, without a path"
        )


def choose_ladder(games: list[str] | None, no_ladder: bool) -> tuple[str, ...]:
    """The games that are played on and on, in the order of the registry."""
    from agon.games.registry import find_game, game_names

    if no_ladder and games:
        raise SettingError(f"--game {games[0]!r}: does not go with --no-ladder")
    chosen = {find_game(name).name for name in games or game_names()}
    return () if no_ladder else tuple(name for name in game_names() if name in chosen)


def worker_settings(
    jobs: int,
    ladder_jobs: int,
    turn_ns: int,
    pace_ns: int,
    ladder: tuple[str, ...],
    unsafe_host: bool,
) -> WorkerSettings:
    from agon.arena.settings import WorkerSettings

    check_amount("--time in ns", turn_ns, 1, LONGEST)
    check_amount("--pace in ns", pace_ns, 0, LONGEST)
    return WorkerSettings(
        turn_ns=turn_ns,
        pace_ns=pace_ns,
        ladder=ladder,
        ladder_jobs=ladder_jobs,
        check_jobs=jobs,
        challenge_jobs=jobs,
        unsafe_host=unsafe_host,
    )
