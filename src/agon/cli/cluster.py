"""`agon cluster`: start the head of a cluster, join one, look at one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import JsonFlag, check_amount
from agon.cli.console import JsonValue, print_json, progress_console, result_console
from agon.cli.printable import printable
from agon.cli.scope import enter_scope
from agon.cli.stopping import stopping_in_order
from agon.errors import MissingPartError, SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.arena.cluster.places import ClusterNode
    from agon.arena.fleet.job_ledger import FailedAttempt, NodeWork

PORT = 6379
PORTS = "11000-11999"
MOST_CORES = 4096
HEADINGS = "node", "cores", "GPUs", "sandbox", "speed", "done", "failed", "/min"

cluster = typer.Typer(
    name="cluster",
    help="Play on many machines.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="This machine's address in the private network.")
]
Port = Annotated[int, typer.Option(metavar="N", help="The port of the head.")]
Cores = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Cores that play; 0: none, this machine only asks. Default: all.",
        show_default=False,
    ),
]
Labels = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="K=V",
        help="A label of this machine; agon-speed=NAME sets its speed class. More than once for "
        "several.",
        show_default=False,
    ),
]
RayPorts = Annotated[
    str,
    typer.Option(
        "--ports",
        metavar="FIRST-LAST",
        help="Ports of Ray on this machine, besides the head's.",
    ),
]
Open = Annotated[
    bool,
    typer.Option(
        "--open",
        help="Do not close Ray's ports on other addresses of this machine: a firewall or a "
        "container's network does.",
    ),
]
HeadAddress = Annotated[
    str, typer.Argument(metavar="HEAD", help="HOST:PORT of the head.", show_default=False)
]

HeadOption = Annotated[
    str,
    typer.Option(
        "--cluster", metavar="HOST:PORT", envvar="AGON_CLUSTER", help="The head of the cluster."
    ),
]


@cluster.callback()
def cluster_group() -> None:
    """Play on many machines."""


@cluster.command()
def head(
    host: Host = "127.0.0.1",
    port: Port = PORT,
    cores: Cores = None,
    label: Labels = None,
    ports: RayPorts = PORTS,
    is_open: Open = False,
) -> None:
    """Start the head of a cluster on this machine, until Ctrl-C.

    It makes a token, which all machines of the cluster need: docs/cluster.md says how it gets
    there. Ray's ports are closed on other addresses of this machine, which needs root and nft.

    \b
    Examples:
      agon cluster head --host 10.0.0.1
      agon cluster head --host 10.0.0.1 --cores 0
    """
    from agon.arena.cluster.closed_ports import PortRange, closed_ports
    from agon.arena.cluster.ray_node import run_ray
    from agon.arena.cluster.settings import LOOPBACK, MOST_PORT, ensure_token, token_place

    check_amount("--port", port, 1, MOST_PORT)
    range_of_ports = PortRange.parse(ports)
    check_ray()
    enter_scope()
    token = ensure_token()
    place = ["--head", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats"]
    with closed_ports(host, range_of_ports, port, is_open=is_open), stopping_in_order() as stopping:
        command = ray_command([*place, *range_of_ports.options()], host, cores, label or ())

        def on_started() -> None:
            tell(f"the head is at {host}:{port}; token: {token_place()}")
            if host not in LOOPBACK:
                tell(f"others with that token join: agon cluster join {host}:{port} --host ADDRESS")

        status = run_ray(command, environment(host, token), stopping.goes_on, on_started)
    raise typer.Exit(status or 0)


@cluster.command()
def join(
    address: HeadAddress,
    host: Host = "",
    cores: Cores = None,
    label: Labels = None,
    ports: RayPorts = PORTS,
    is_open: Open = False,
) -> None:
    """Let this machine play for a cluster, until Ctrl-C.

    It is measured first: the sandbox, its speed, and the commands by which bots are run. If it is
    cut off from the head, it joins again. Ray's ports are closed on other addresses of this
    machine, which needs root and nft.

    \b
    Examples:
      agon cluster join 10.0.0.1:6379 --host 10.0.0.2
      agon cluster join 10.0.0.1:6379 --host 10.0.0.3 --label room=lab --label agon-speed=lab
    """
    from agon.arena.cluster.closed_ports import PortRange, closed_ports
    from agon.arena.cluster.ray_node import run_ray, stay_joined
    from agon.arena.cluster.settings import LOOPBACK, check_address, find_token

    check_address(address)
    range_of_ports = PortRange.parse(ports)
    if address.rpartition(":")[0] in LOOPBACK:
        raise SettingError(
            f"{address}: a head at a loopback address has no other machines; expected one that was"
            " started with --host and its address in a private network"
        )
    if not host or host in LOOPBACK:
        raise SettingError(
            f"--host {host!r}: expected this machine's address in the private network"
        )
    check_ray()
    enter_scope()
    environ = environment(host, find_token())
    place = [f"--address={address}", *range_of_ports.options()]
    with closed_ports(host, range_of_ports, None, is_open=is_open), stopping_in_order() as stopping:
        command = ray_command(place, host, cores, label or ())

        def run() -> int | None:
            return run_ray(command, environ, stopping.goes_on, lambda: tell(f"joined {address}"))

        status = stay_joined(run, address, stopping.goes_on, tell)
    raise typer.Exit(status or 0)


def tell(text: str) -> None:
    progress_console().print(f"agon: {text}", soft_wrap=True, markup=False)


def check_ray() -> None:
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise MissingPartError("agon cluster needs ray: install agon[cluster]")


def environment(host: str, token: str) -> dict[str, str]:
    from agon.arena.cluster.settings import ray_environment

    return {**os.environ, **ray_environment(host, token)}


def ray_command(
    place: Sequence[str], host: str, cores: int | None, labels: Sequence[str]
) -> list[str]:
    """How Ray is started, with what this machine is good for in its labels."""
    from agon.arena.cluster.node_labels import describe_machine, parse_labels
    from agon.arena.cluster.settings import STORE_BYTES
    from agon.simulate.cuda import count_gpus
    from agon.simulate.threads import available_cores

    if cores is not None:
        check_amount("--cores", cores, 0, MOST_CORES)
    given = parse_labels(labels)
    with progress_console().status("measuring this machine …"):
        found = {**describe_machine(), **given}
    return [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *place),
        f"--node-ip-address={host}",
        f"--num-cpus={available_cores() if cores is None else cores}",
        f"--num-gpus={count_gpus()}",
        f"--object-store-memory={STORE_BYTES}",
        f"--labels={','.join(f'{name}={value}' for name, value in found.items())}",
    ]


@cluster.command()
def status(cluster: HeadOption = f"127.0.0.1:{PORT}", as_json: JsonFlag = False) -> None:
    """Show the machines of a cluster, what each plays, and the last jobs that failed, with logs.

    A job is a match, a check of a bot, or a block of simulated games. The rate, /min, is that of
    the last three minutes.

    \b
    Examples:
      agon cluster status --cluster 10.0.0.1:6379
      agon cluster status --json
    """
    from agon.arena.cluster.connection import read_cluster
    from agon.arena.cluster.settings import check_address
    from agon.arena.fleet.job_ledger import NodeWork

    check_address(cluster)
    nodes, work = read_cluster(cluster)
    if as_json:
        rows = [node_json(node, work.nodes.get(node.id, NodeWork())) for node in nodes]
        lost = [failure_json(failure) for failure in work.failures]
        print_json({"nodes": rows, "waiting": work.waiting, "failures": lost, "speed": work.speed})
    else:
        print_nodes(nodes, work.nodes)
        print_speeds(nodes, work.speed)
        print(f"{work.waiting} {'job waits' if work.waiting == 1 else 'jobs wait'} for a machine")
        print_failures(nodes, work.failures)


def node_json(node: ClusterNode, work: NodeWork) -> dict[str, JsonValue]:
    return {
        "id": node.id,
        "address": node.address,
        "cores": node.cores,
        "gpus": node.gpus,
        "labels": dict(node.labels),
        "playing": list(work.playing),
        "done": work.done,
        "failed": work.failed,
        "per_minute": round(work.per_minute, 1),
    }


def failure_json(failure: FailedAttempt) -> dict[str, JsonValue]:
    return {
        "node": failure.node,
        "job": failure.key,
        "message": failure.message,
        "log": list(failure.log),
        "at_ns": failure.at_ns,
    }


def print_nodes(nodes: Sequence[ClusterNode], work: Mapping[str, NodeWork]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from agon.arena.cluster.node_labels import HOLDS, own_version
    from agon.arena.fleet.job_ledger import NodeWork

    table = Table(box=box.SIMPLE_HEAD, header_style="dim", padding=0, pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, no_wrap=True)
    for node in nodes:
        own = work.get(node.id, NodeWork())
        cells = (
            f"{node.address} {node.id[:6]}",
            str(node.cores),
            str(node.gpus),
            "holds" if node.sandbox == HOLDS else "no",
            node.speed or "?",
            str(own.done),
            str(own.failed),
            f"{own.per_minute:.1f}",
        )
        table.add_row(*map(Text, cells))
    result_console().print(table)
    for node in nodes:
        where = f"{node.address} {node.id[:6]}"
        if node.given_labels:
            print(f"{where} has {printable(node.given_labels)}")
        if node.version != own_version():
            other = (
                f"has Agon {printable(node.version)}" if node.version else "is not one of Agon's"
            )
            print(f"{where} {other}: it gets no jobs of {own_version()}")
        elif node.sandbox != HOLDS:
            print(f"{where} gets no users' bots: its sandbox {printable(node.sandbox)}")
        for key in work.get(node.id, NodeWork()).playing:
            print(f"{where} plays {printable(key)}")


def print_speeds(nodes: Sequence[ClusterNode], speed: str) -> None:
    """Which machines get no matches, as those are played on another speed class."""
    from agon.arena.cluster.places import without_matches

    idle = without_matches(nodes, speed)
    for node in idle:
        print(
            f"{node.address} {node.id[:6]} gets no matches: it is of speed {node.speed or '?'}, and"
            f" they are played on {speed}"
        )
    if idle:
        print("If these machines are as fast, join them all with --label agon-speed=NAME")


def print_failures(nodes: Sequence[ClusterNode], failures: Sequence[FailedAttempt]) -> None:
    addresses = {node.id: node.address for node in nodes}
    for failure in failures:
        where = addresses.get(failure.node, "a node that is gone" if failure.node else "no node")
        print(f"{printable(failure.key)}, {where}: {printable(failure.message)}")
        for line in failure.log:
            print(f"    {printable(line)}")
