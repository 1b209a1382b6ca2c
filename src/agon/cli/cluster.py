"""`agon cluster`: start the head of a cluster, join one, look at one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import Cluster, JsonFlag, check_amount
from agon.cli.console import JsonValue, print_json, progress_console, result_console
from agon.cli.printable import printable
from agon.cli.scope import enter_scope
from agon.errors import MissingPartError, SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.arena.cluster_places import ClusterNode
    from agon.arena.job_ledger import Failure, NodeWork

PORT = 6379
MOST_PORT = 65535
MOST_CORES = 4096
TOLD_LINES = 5
FOUND = ("agon-", "ray.io/")
"""How labels begin that are not of the command line."""

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
HeadAddress = Annotated[
    str, typer.Argument(metavar="HEAD", help="HOST:PORT of the head.", show_default=False)
]


@cluster.callback()
def cluster_group() -> None:
    """Play on many machines."""


@cluster.command()
def head(
    host: Host = "127.0.0.1", port: Port = PORT, cores: Cores = None, label: Labels = None
) -> None:
    """Start the head of a cluster on this machine, until Ctrl-C.

    It makes a token, which all machines of the cluster need: docs/cluster.md says how it gets
    there, and what to close before.

    \b
    Examples:
      agon cluster head --host 10.0.0.1
      agon cluster head --host 10.0.0.1 --cores 0
    """
    from agon.arena.cluster_settings import LOOPBACK, ensure_token, token_file

    check_amount("--port", port, 1, MOST_PORT)
    check_ray()
    enter_scope()
    token = ensure_token()
    console = progress_console()
    console.print(f"agon: the head is at {host}:{port}; token: {token_file()}", soft_wrap=True)
    if host not in LOOPBACK:
        console.print("agon: it listens on all addresses of this machine: see docs/cluster.md")
    place = ["--head", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats"]
    run_ray(place, host, token, cores, label or ())


@cluster.command()
def join(address: HeadAddress, host: Host = "", cores: Cores = None, label: Labels = None) -> None:
    """Let this machine play for a cluster, until Ctrl-C.

    It is measured first: the sandbox, its speed, and the commands by which bots are run.

    \b
    Examples:
      agon cluster join 10.0.0.1:6379 --host 10.0.0.2
      agon cluster join 10.0.0.1:6379 --host 10.0.0.3 --label room=lab --label agon-speed=lab
    """
    from agon.arena.cluster_settings import LOOPBACK, check_address, find_token

    check_address(address)
    if address.rpartition(":")[0] in LOOPBACK or host in LOOPBACK:
        raise SettingError(f"{address} from {host}: expected addresses of a private network")
    if not host:
        raise SettingError("--host: expected this machine's address in the private network")
    check_ray()
    enter_scope()
    run_ray([f"--address={address}"], host, find_token(), cores, label or ())


def check_ray() -> None:
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise MissingPartError("agon cluster needs ray: install agon[cluster]")


def run_ray(
    place: Sequence[str], host: str, token: str, cores: int | None, labels: Sequence[str]
) -> None:
    """Become Ray, with what this machine is good for in its labels."""
    from agon.arena.cluster_settings import STORE_BYTES, ray_environment
    from agon.arena.node_labels import describe_machine, parse_labels
    from agon.simulate.threads import available_cores

    if cores is not None:
        check_amount("--cores", cores, 0, MOST_CORES)
    given = parse_labels(labels)
    with progress_console().status("measuring this machine …"):
        found = {**describe_machine(), **given}
    command = [
        *(sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *place),
        f"--node-ip-address={host}",
        f"--num-cpus={available_cores() if cores is None else cores}",
        f"--object-store-memory={STORE_BYTES}",
        f"--labels={','.join(f'{name}={value}' for name, value in found.items())}",
    ]
    environ = {**os.environ, **ray_environment(host, token)}
    os.execve(sys.executable, command, environ)  # noqa: S606  nothing of it comes from others


@cluster.command()
def status(cluster: Cluster = None, as_json: JsonFlag = False) -> None:
    """Show the machines of a cluster, what each plays, and the last jobs that failed.

    \b
    Examples:
      agon cluster status --cluster 10.0.0.1:6379
      agon cluster status --json
    """
    from agon.arena.job_ledger import NodeWork
    from agon.arena.ray_fleet import read_cluster

    nodes, work, failures = read_cluster(cluster or f"127.0.0.1:{PORT}")
    if as_json:
        rows = [node_json(node, work.get(node.id, NodeWork())) for node in nodes]
        lost = [{"node": f.node, "job": f.key, "message": f.message} for f in failures]
        print_json({"nodes": rows, "failures": lost})
    else:
        print_nodes(nodes, work)
        print_failures(nodes, failures)


def node_json(node: ClusterNode, work: NodeWork) -> dict[str, JsonValue]:
    return {
        "id": node.id,
        "address": node.address,
        "cores": node.cores,
        "labels": dict(node.labels),
        "playing": list(work.playing),
        "done": work.done,
        "failed": work.failed,
    }


def print_nodes(nodes: Sequence[ClusterNode], work: Mapping[str, NodeWork]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from agon.arena.job_ledger import NodeWork
    from agon.arena.node_labels import SANDBOX, SPEED

    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    for heading in ("node", "cores", "sandbox", "speed", "labels", "done", "failed", "playing"):
        table.add_column(heading)
    for node in nodes:
        own = work.get(node.id, NodeWork())
        labels = [f"{k}={v}" for k, v in node.labels.items() if not k.startswith(FOUND)]
        cells = (
            f"{node.address} {node.id[:6]}",
            str(node.cores),
            node.labels.get(SANDBOX, "not known: no users' bots"),
            node.labels.get(SPEED, "not known"),
            " ".join(labels),
            str(own.done),
            str(own.failed),
            "\n".join(map(printable, own.playing)),
        )
        table.add_row(*map(Text, cells))
    result_console().print(table)


def print_failures(nodes: Sequence[ClusterNode], failures: Sequence[Failure]) -> None:
    addresses = {node.id: node.address for node in nodes}
    for failure in failures:
        where = addresses.get(failure.node, "a node that is gone" if failure.node else "no node")
        print(f"{printable(failure.key)}, {where}:")
        for line in failure.message.strip().splitlines()[-TOLD_LINES:]:
            print(f"    {printable(line)}")
